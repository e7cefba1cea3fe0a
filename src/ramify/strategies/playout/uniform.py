"""Uniformly random playouts."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.contract.interfaces.playout_spec import PlayoutSpec
from ramify.core.playouts.random_policy import UNIFORM, uniform_kernel
from ramify.strategies.base import MAX_PLIES, BoundPlayoutPolicy, BoundStrategy, Playout, PlyLimit


@dataclass(frozen=True)
class Uniform(Playout):
    """Every legal move is equally likely; a draw after ``limit`` plies."""

    batchable = True
    traces = True
    limit: PlyLimit = MAX_PLIES

    def bind(self, game: Game, *, traced: bool) -> BoundStrategy:
        return BoundStrategy(game.playout(PlayoutSpec(traced=traced, limited=self.limit < MAX_PLIES)))

    def bind_exact_length(self, game: Game, *, traced: bool) -> BoundStrategy:
        return BoundStrategy(
            game.playout(PlayoutSpec(traced=traced, limited=self.limit < MAX_PLIES, exact_length=True))
        )

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        del game
        return BoundPlayoutPolicy(UNIFORM, uniform_kernel())
