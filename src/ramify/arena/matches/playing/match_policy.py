"""Policy of match games: a ply limit, and the simulations of each move for the row."""

from __future__ import annotations

from ramify.contract.game import Code, State
from ramify.players.game_in_progress import GamePolicy, Spent

MAX_PLIES = 10_000  # longer games are draws


class MatchPolicy(GamePolicy):
    """Records the simulations of every move after an opening of ``opening`` plies."""

    def __init__(self, opening: int) -> None:
        self.searched: list[Spent] = [0] * opening

    def at_limit(self, state: State) -> bool:
        return len(state.history) >= MAX_PLIES

    def after_move(self, before: State, code: Code, after: State, spent: Spent) -> None:
        del before, code, after
        self.searched.append(spent)
