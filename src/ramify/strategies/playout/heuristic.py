"""Moves by the game's own knowledge."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.strategies.kinds import MOST_PLIES, Fitted, Playout, PlyLimit


@dataclass(frozen=True)
class Heuristic(Playout):
    """Moves by the game's own ``heuristic``, which knows a little about it; a draw after ``limit`` plies."""

    needs = ("heuristic",)
    traces = True
    limit: PlyLimit = MOST_PLIES

    def fit(self, game: Game, *, traced: bool) -> Fitted:
        """The game's own kernel."""
        return Fitted(game.playout(heuristic=True, traced=traced))
