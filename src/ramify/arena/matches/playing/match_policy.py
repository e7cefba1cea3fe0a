"""What is particular to the games of a match: a limit of plies, and the simulations of each move for the row."""

from __future__ import annotations

from ramify.contract.game import Code, State
from ramify.players.game_in_progress import GamePolicy, Spent

MAX_PLIES = 10_000  # a game that is not over by then is a draw


class MatchPolicy(GamePolicy):
    """Notes what every move took, from an opening of so many plies on."""

    def __init__(self, opening: int) -> None:
        self.searched: list[Spent] = [0] * opening

    def at_limit(self, state: State) -> bool:
        """After MAX_PLIES."""
        return len(state.history) >= MAX_PLIES

    def after_move(self, before: State, code: Code, after: State, spent: Spent) -> None:
        """Note the simulations."""
        del before, code, after
        self.searched.append(spent)
