"""Every legal move is equally likely."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.strategies.kinds import MOST_PLIES, Fitted, Playout, PlyLimit


@dataclass(frozen=True)
class Uniform(Playout):
    """Every legal move is equally likely, until the game ends; after ``limit`` plies it is called a draw."""

    traces = True
    limit: PlyLimit = MOST_PLIES

    def fit(self, game: Game, *, traced: bool) -> Fitted:
        """The game's own kernel."""
        return Fitted(game.playout(traced=traced, limited=self.limit < MOST_PLIES))
