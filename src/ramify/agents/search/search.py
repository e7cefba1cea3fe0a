"""A search that can be run, watched, cancelled, asked and moved along a game."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from numbers import Integral
from time import perf_counter
from typing import Any

from ramify.agents.agent import Agent
from ramify.agents.agent import agent as make_agent
from ramify.agents.budgets.agent_budget import effective_budget, split_agent_budget
from ramify.agents.budgets.budget import Budget
from ramify.agents.budgets.early_stopping import BudgetParts, moves_left
from ramify.agents.budgets.memory import MemoryAllowance
from ramify.agents.budgets.move_time import MoveTime
from ramify.agents.search.preconditions import check_player, check_searchable
from ramify.agents.search.report import Report, move_statistics
from ramify.agents.search.root_moves import Codes, RootMoves
from ramify.agents.search.threads import PROGRESS_SECONDS, run_side_by_side
from ramify.agents.search.tree_view import child_places, line_below, root_of
from ramify.agents.search.worker import Worker
from ramify.contract.game import Code, Move, State
from ramify.core.search.tree import ROOT, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.strategies.base import Floats

MAX_THREADS = 1024

RunPart = Callable[[Budget, Callable[[], bool], Callable[[], float]], str]


def check_numbers(threads: object, seed: object) -> None:
    """Refuse numbers of threads, and seeds, that are not whole numbers or out of range."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MAX_THREADS:
        raise RamifyError(f"threads must be a whole number from 1 to {MAX_THREADS}, not {threads}")
    if seed is not None and (isinstance(seed, bool) or not issubclass(type(seed), Integral)):
        raise RamifyError(f"the seed must be a whole number, not '{seed}'")


class Search:
    """A search from ``state``, kept between calls: ``run`` adds to the same tree, ``advance`` moves its root.

    Where everybody moves at once, ``player`` is who searches: it recommends that player's move, and draws that one's
    choices first. Without it the search recommends a move of everybody.
    """

    def __init__(
        self,
        state: State,
        agent: str | Mapping[str, Any] | Agent = "uct",
        *,
        seed: int | None = None,
        threads: int = 1,
        player: int | None = None,
        now: Callable[[], float] = perf_counter,
    ) -> None:
        check_searchable(state)
        check_numbers(threads, seed)
        check_player(state.game, player)
        self.state = state
        self.agent = make_agent(agent)
        self.seed = secrets.randbits(32) if seed is None else int(seed)
        self.allowance = MemoryAllowance(threads)  # of memory, where the budget does not say
        self.player = player
        self.workers = [Worker(state, self.agent, self.seed, k, self.allowance, player) for k in range(threads)]
        self.now = now  # what the time is, in seconds from any moment
        self.seconds = 0.0
        self.stopped = "not started"
        self.expected: float | None = None  # own moves to come when the last search began, by its playouts
        self._cancelled = threading.Event()
        self._run = self._runner()

    def _runner(self) -> RunPart:
        if len(self.workers) == 1:
            return self.workers[0].run
        return partial(run_side_by_side, self.workers, self._cancelled)

    def restart(self, state: State, seed: int) -> None:
        """Forget the tree and start at ``state``: what follows is as in a new search with that seed, but cheaper."""
        check_searchable(state)
        self.state = state
        self.seed = seed
        for worker in self.workers:
            worker.reset(state)
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Draw from the streams of ``seed`` from now on; the tree stays."""
        for stream, worker in enumerate(self.workers):
            worker.reseed(seed, stream)

    def cancel(self) -> None:
        """Stop a running search soon; it may be called from another thread."""
        self._cancelled.set()

    def run(
        self,
        budget: Budget | None = None,
        progress: Callable[[Search], object] | None = None,
        control: MoveTime | None = None,
    ) -> Report:
        """Search until the budget runs out, the agent's own if none is given.

        ``progress`` is called with this search every tenth of a second. With a ``control`` the budget's seconds are
        those that it begins with, and may become more.
        """
        given, of_clock = effective_budget(self.agent, budget)
        parts = self._begin(given, control or of_clock)
        go_on = self._go_on(progress)
        for part in parts:
            parts.stopped = self._run(part, go_on, self.now)
        self._end(parts)
        return self.report()

    def choose(self, budget: Budget, control: MoveTime | None = None) -> int:
        """Search, and give only the code of the recommended move: a report costs more than a short search does."""
        parts = self._begin(budget, control)
        for part in parts:
            parts.stopped = self._run(part, self._goes_on, self.now)
        self._end(parts)
        if self.stopped == "memory" and budget.memory is None and budget.seconds is None:  # nobody would see it
            raise RamifyError(
                f"the tree took half of the memory that was free, {(self.allowance.known or 0) / 1e6:,.0f} megabytes,"
                f" after {self.simulations():,} simulations; give a smaller budget"
            )
        moves = self.moves_of()
        visits, _, estimates = moves.statistics()
        return int(moves.codes()[moves.recommended(visits, estimates, moves.bounds())])

    def _begin(self, budget: Budget, control: MoveTime | None) -> BudgetParts:
        """Get ready to spend a budget; the parts of it, one after another."""
        if not isinstance(budget, Budget):
            raise RamifyError(f"a search runs within a Budget, such as Budget(simulations=1000), not {budget!r}")
        check_searchable(self.state)
        allocation = self.agent.allocation
        if allocation.needs_simulations and budget.simulations is None:
            raise RamifyError(
                f"allocation={allocation.title()} must know the number of simulations beforehand: give simulations"
            )
        self._cancelled.clear()
        self._began = self.now()
        self.seconds = 0.0
        for worker in self.workers:
            worker.start_counting()
        return BudgetParts(self, budget, control)

    def _end(self, parts: BudgetParts) -> None:
        """The budget is spent."""
        self.stopped = parts.stopped
        self.seconds = self.now() - self._began
        self.expected = moves_left(self)

    def _goes_on(self) -> bool:
        return not self._cancelled.is_set()

    def _go_on(self, progress: Callable[[Search], object] | None) -> Callable[[], bool]:
        """What is asked between two chunks: whether to go on. It calls ``progress`` when it is time."""
        if progress is None:
            return self._goes_on
        shown = perf_counter()

        def go_on() -> bool:
            nonlocal shown
            if perf_counter() - shown > PROGRESS_SECONDS:
                shown = perf_counter()
                with ExitStack() as held:  # no tree moves in memory while somebody looks
                    for worker in self.workers:
                        held.enter_context(worker.memory.growing)
                    progress(self)
            return self._goes_on()

        return go_on

    def advance(self, move: Move | str | Sequence[Move | str]) -> None:
        """Play a move (or an outcome of chance, or everybody's) and keep the part of the tree below it."""
        found = self.state.find(move)
        self.advance_to(self.state.play(found), found.code)

    def advance_to(self, after: State, code: Code) -> None:
        """The same where the position after the move is already known."""
        for worker in self.workers:
            worker.advance(after, code)
        self.state = after

    def simulations(self) -> int:
        """Simulations of the current run so far."""
        return self.total("simulations")

    def calls(self) -> int:
        """Forward-model calls of the current run so far."""
        return self.total("calls")

    def total(self, counter: str) -> int:
        """A counter of the current run, summed over all trees."""
        return sum(int(worker.counters[counter][0]) for worker in self.workers)

    def moves_of(self, player: int | None = None) -> RootMoves:
        """The moves at the root, of the player to move; where everybody moves at once, of ``player``.

        That is the one who searches where none is given, the first one where nobody said who that is.
        """
        if player is None or not self._is_simultaneous:
            player = (self.player or 0) if self._is_simultaneous else int(self.workers[0].tree.nodes["mover"][ROOT])
        return RootMoves(self.workers, self.agent, player)

    def moves_of_all(self) -> list[RootMoves]:
        """The moves of everybody who moves at the root."""
        return [self.moves_of(player) for player in range(self.state.game.players if self._is_simultaneous else 1)]

    def wanted(self) -> list[RootMoves]:
        """The moves of those for whom a move is to be recommended."""
        return self.moves_of_all() if self.player is None else [self.moves_of()]

    def _requested_player(self) -> int | None:
        """Whose move is wanted where everybody moves at once; in turns it is that of the one who chooses first."""
        if self.state.to_move != SIMULTANEOUS:
            return None
        return self.player if self._is_simultaneous else self.player or 0

    @property
    def _is_simultaneous(self) -> bool:
        """Whether everybody moves at the root; not known before its moves are."""
        return bool(self.workers[0].tree.nodes["mover"][ROOT] == SIMULTANEOUS)

    def codes(self, player: int | None = None) -> Codes:
        """The codes of ``moves_of``."""
        return self.moves_of(player).codes()

    def statistics(self, player: int | None = None) -> tuple[Floats, Floats, Floats]:
        """Visits, mean values and estimates of ``moves_of``; see ``RootMoves.statistics``."""
        return self.moves_of(player).statistics()

    def report(self) -> Report:
        """What is known now."""
        check_searchable(self.state)
        choices = [move_statistics(moves) for moves in self.moves_of_all()]
        codes = tuple(choice.code for choice in choices)
        code: Code = codes if self._is_simultaneous else codes[0]
        line = [code, *line_below(child_places([(worker, ROOT) for worker in self.workers], code))]
        return Report(
            state=self.workers[0].start,
            agent=str(self.agent),
            seed=self.seed,
            choices=choices,
            joint=self._is_simultaneous,
            player=self._requested_player(),
            line=self.workers[0].shape.shown_line(self.state, line),
            root=root_of(self.workers),
            simulations=self.total("simulations"),
            nodes=self.total("nodes"),
            shared=sum(worker.shape.shared for worker in self.workers),
            seconds=self.seconds,
            calls=self.total("calls"),
            depth=max(int(worker.counters["max_depth"][0]) for worker in self.workers),
            cut=self.total("cut_playouts"),
            stopped=self.stopped,
            note=self.workers[0].note,
            threads=len(self.workers),
        )


def search(
    state: State,
    agent: str | Mapping[str, Any] | Agent = "uct",
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    calls: int | None = None,
    memory: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    player: int | None = None,
    progress: Callable[[Search], object] | None = None,
) -> Report:
    """Search from ``state`` and report; a budget must be given, unless the agent has one of its own.

    Where everybody moves at once, ``player`` is who searches; see ``Search``.
    """
    made, budget, control = split_agent_budget(make_agent(agent), simulations, seconds, calls, memory)
    run = Search(state, made, seed=seed, threads=threads_for(budget, threads), player=player)
    return run.run(budget, progress, control)


def threads_for(budget: Budget, threads: int) -> int:
    """No more threads than simulations; a number that makes no sense stays, to be refused."""
    if budget.simulations is None or not isinstance(threads, int) or threads > MAX_THREADS:
        return threads
    return min(threads, budget.simulations)
