"""Chooses the moves of a match with an agent's search."""

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

MIN_SEARCH_SECONDS = 0.01  # no search if less time is left


@dataclass(frozen=True)
class ChosenMove:
    """The move of a search."""

    move: Term
    simulations: int
    value: float  # mean value, from 0 to 1


class MatchSearch:
    """The searches of one match, one at a time."""

    def __init__(self, agent: Agent, seed: Callable[[], int], tree_bytes: int | None = None) -> None:
        self.agent = replace(agent, limits=None)
        self.limits = agent.limits
        self.seed = seed
        self.tree_bytes = tree_bytes  # None: half of the free memory
        self._role_game: RoleGame | None = None
        self._search: Search | None = None
        self._running: tuple[int, RoleGame, Search] | None = None
        self._one_at_a_time = threading.Lock()

    def prepare(self, role_game: RoleGame, position: Fluents) -> None:
        """Compile or load what searches of this game need."""
        state = role_game.state(position)
        if not state.over and state.to_move != CHANCE:
            Search(state, self.agent, seed=0, player=role_game.player).run(Budget(simulations=1))

    def choose(
        self,
        role_game: RoleGame,
        position: Fluents,
        deadline: float,
        turn: int = 0,
        wanted: Callable[[], bool] = lambda: True,
    ) -> ChosenMove | None:
        """Search until the deadline (monotonic clock), or until ``wanted()`` returns False.

        ``turn`` identifies the search in ``best_so_far``. Return None if there is no time, or it is not our turn.
        """

        def cancel_if_unwanted(search: Search) -> None:
            if not wanted():
                search.cancel()

        with self._one_at_a_time:
            state = role_game.state(position)
            seconds = deadline - monotonic()
            if (
                seconds < MIN_SEARCH_SECONDS
                or not wanted()
                or state.over
                or state.to_move not in (role_game.player, SIMULTANEOUS)
            ):
                return None
            search = self._search_from(role_game, state)
            limits = self.limits
            budget = Budget(
                limits.simulations if limits else None,
                min(seconds, limits.seconds) if limits and limits.seconds else seconds,
                limits.calls if limits else None,
                self.tree_bytes,
            )
            self._running = (turn, role_game, search)
            try:
                search.run(budget, cancel_if_unwanted)
            finally:
                self._running = None
            moves = search.moves_of()
            visits, values, estimates = moves.statistics()
            chosen = moves.recommended(visits, estimates, moves.bounds())
            return ChosenMove(role_game.term(int(moves.codes()[chosen])), search.simulations(), float(values[chosen]))

    def best_so_far(self, turn: int) -> Term | None:
        """Return the most visited move of the running search of that turn, or None."""
        running = self._running
        if running is None or running[0] != turn:
            return None
        _, role_game, search = running
        try:
            visits, _, _ = search.statistics()
            return role_game.term(int(search.codes()[int(visits.argmax())]))
        except (RamifyError, IndexError, ValueError):  # the search has just started
            return None

    def _search_from(self, role_game: RoleGame, state: State) -> Search:
        """Return a search rooted at ``state``, with the tree of the last one if the agent reuses it."""
        search = self._search if self._role_game is role_game else None
        if search is not None and self.agent.reuse and self._advanced(search, state):
            search.reseed(self.seed())
            return search
        if search is not None:
            search.restart(state, self.seed())
        else:
            search = Search(state, self.agent, seed=self.seed(), player=role_game.player)
        self._role_game, self._search = role_game, search
        return search

    def _advanced(self, search: Search, state: State) -> bool:
        """Advance a search to a state up to two moves below its root. Return whether it was found."""
        path = _path(search.state, state, depth=2)
        for code, after in path or ():
            search.advance_to(after, code)
        return path is not None


def _path(start: State, goal: State, depth: int) -> list[tuple[int, State]] | None:
    """Return at most ``depth`` moves from one state to another, each with its resulting state, or None."""
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
