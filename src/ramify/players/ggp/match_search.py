"""What chooses the moves of a match: an agent's search, for as long as there is time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from ramify.agents.agent import Agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.game import State
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.ggp.interpreter import Fluents
from ramify.ggp.kif import Term
from ramify.players.ggp.role_games import RoleGame

MIN_SEARCH_SECONDS = 0.01  # seconds that are worth a search


@dataclass(frozen=True)
class ChosenMove:
    """What a search found."""

    move: Term
    simulations: int
    value: float  # what the search takes the move to be worth, from 0 to 1


class MatchSearch:
    """The searches of one match, one at a time."""

    def __init__(self, agent: Agent, seed: Callable[[], int]) -> None:
        self.agent = replace(agent, limits=None)
        self.limits = agent.limits
        self.seed = seed
        self._board: RoleGame | None = None
        self._search: Search | None = None
        self._running: tuple[int, RoleGame, Search] | None = None
        self._one_at_a_time = threading.Lock()

    def prepare(self, board: RoleGame, position: Fluents) -> None:
        """Compile or load what searches of this board need."""
        state = board.state(position)
        if not state.over and state.to_move != CHANCE:
            Search(state, self.agent, seed=0, player=board.player).run(Budget(simulations=1))

    def choose(
        self,
        board: RoleGame,
        position: Fluents,
        deadline: float,
        turn: int = 0,
        wanted: Callable[[], bool] = lambda: True,
    ) -> ChosenMove | None:
        """Search until the deadline, by the monotonic clock, or until the answer is not ``wanted`` any more.

        ``turn`` is what ``best_so_far`` knows the search by.

        None where that is too soon, or it is not our move.
        """

        def look(search: Search) -> None:
            if not wanted():
                search.cancel()

        with self._one_at_a_time:
            state = board.state(position)
            seconds = deadline - monotonic()
            if (
                seconds < MIN_SEARCH_SECONDS
                or not wanted()
                or state.over
                or state.to_move not in (board.player, SIMULTANEOUS)
            ):
                return None
            search = self._search_from(board, state)
            limits = self.limits
            budget = Budget(
                limits.simulations if limits else None,
                min(seconds, limits.seconds) if limits and limits.seconds else seconds,
                limits.calls if limits else None,
            )
            self._running = (turn, board, search)
            try:
                search.run(budget, look)
            finally:
                self._running = None
            moves = search.moves_of()
            visits, values, estimates = moves.statistics()
            chosen = moves.recommended(visits, estimates, moves.bounds())
            return ChosenMove(board.term(int(moves.codes()[chosen])), search.simulations(), float(values[chosen]))

    def best_so_far(self, turn: int) -> Term | None:
        """The most visited move of a search that is running; None where nothing is known of it."""
        running = self._running
        if running is None or running[0] != turn:
            return None
        _, board, search = running
        try:
            visits, _, _ = search.statistics()
            return board.term(int(search.codes()[int(visits.argmax())]))
        except (RamifyError, IndexError, ValueError):  # it has only begun
            return None

    def _search_from(self, board: RoleGame, state: State) -> Search:
        """A search of that position, with what is kept of an earlier one where the agent wants that."""
        search = self._search if self._board is board else None
        if search is not None and self.agent.reuse and self._followed(search, state):
            search.reseed(self.seed())
            return search
        if search is not None:
            search.restart(state, self.seed())
        else:
            search = Search(state, self.agent, seed=self.seed(), player=board.player)
        self._board, self._search = board, search
        return search

    def _followed(self, search: Search, state: State) -> bool:
        """Move the root of a search to a position that is up to a few moves below it; whether it was found."""
        path = _path(search.state, state, depth=2)
        for code, after in path or ():
            search.advance_to(after, code)
        return path is not None


def _path(start: State, goal: State, depth: int) -> list[tuple[int, State]] | None:
    """Moves from one position to another, each with what it leads to; None where there are none so short."""
    game = start.game
    if game.key(start.data) == game.key(goal.data):
        return []
    if depth == 0 or start.over or start.to_move < 0:
        return None
    for code in game.legal(start.data):
        after = State(game, game.play(start.data, code))
        rest = _path(after, goal, depth - 1)
        if rest is not None:
            return [(code, after), *rest]
    return None
