"""Every legal move is equally likely."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.contract.interfaces.playout_spec import PlayoutSpec
from ramify.core.playouts.random_policy import UNIFORM, uniform_kernel
from ramify.strategies.base import MOST_PLIES, Choosing, Fitted, Playout, PlyLimit


@dataclass(frozen=True)
class Uniform(Playout):
    """Every legal move is equally likely, until the game ends; after ``limit`` plies it is called a draw."""

    flies = True
    traces = True
    limit: PlyLimit = MOST_PLIES

    def fit(self, game: Game, *, traced: bool) -> Fitted:
        """The game's own kernel."""
        return Fitted(game.playout(PlayoutSpec(traced=traced, limited=self.limit < MOST_PLIES)))

    def fit_timed(self, game: Game, *, traced: bool) -> Fitted:
        """That one of the game's kernels which counts truly."""
        return Fitted(game.playout(PlayoutSpec(traced=traced, limited=self.limit < MOST_PLIES, exact_length=True)))

    def choosing(self, game: Game) -> Choosing:
        """Any of the moves listed, for playouts around it."""
        del game
        return Choosing(UNIFORM, uniform_kernel())
