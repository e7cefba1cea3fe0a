"""Every legal move is equally likely."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.contract.interfaces.playout_spec import PlayoutSpec
from ramify.core.playouts.random_policy import UNIFORM, uniform_kernel
from ramify.strategies.base import MAX_PLIES, BoundPlayoutPolicy, BoundStrategy, Playout, PlyLimit


@dataclass(frozen=True)
class Uniform(Playout):
    """Every legal move is equally likely, until the game ends; after ``limit`` plies it is called a draw."""

    batchable = True
    traces = True
    limit: PlyLimit = MAX_PLIES

    def bind(self, game: Game, *, traced: bool) -> BoundStrategy:
        """The game's own kernel."""
        return BoundStrategy(game.playout(PlayoutSpec(traced=traced, limited=self.limit < MAX_PLIES)))

    def bind_exact_length(self, game: Game, *, traced: bool) -> BoundStrategy:
        """That one of the game's kernels which counts truly."""
        return BoundStrategy(
            game.playout(PlayoutSpec(traced=traced, limited=self.limit < MAX_PLIES, exact_length=True))
        )

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        """Any of the moves listed, for playouts around it."""
        del game
        return BoundPlayoutPolicy(UNIFORM, uniform_kernel())
