"""``Search``: run, observe and cancel a search, and keep its tree during a game."""

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
from ramify.agents.budgets.overrun import RunPart, announced
from ramify.agents.search.preconditions import check_player, check_searchable
from ramify.agents.search.report import Report, move_statistics
from ramify.agents.search.root_moves import Codes, RootMoves
from ramify.agents.search.threads import PROGRESS_SECONDS, run_in_threads
from ramify.agents.search.tree_view import child_places, line_below, root_of
from ramify.agents.search.worker import Worker
from ramify.contract.author_errors import call_author
from ramify.contract.game import Code, Move, State
from ramify.core.search.tree import ROOT, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.numpy_scalars import accepting_numpy
from ramify.strategies.base import Floats

MAX_THREADS = 1024


def check_numbers(threads: object, seed: object) -> None:
    """Raise unless ``threads`` and ``seed`` are valid."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MAX_THREADS:
        raise RamifyError(f"threads must be an integer from 1 to {MAX_THREADS}, not {threads}")
    if seed is not None and (isinstance(seed, bool) or not issubclass(type(seed), Integral)):
        raise RamifyError(f"the seed must be an integer, not '{seed}'")


class Search:
    """A search from ``state`` that keeps its tree: ``run`` extends it, ``advance`` moves its root.

    With simultaneous moves the search recommends a move for ``player``, whose choices are drawn first. Without
    ``player`` it recommends a joint move.
    """

    @accepting_numpy
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
        self.allowance = MemoryAllowance(threads)  # for budgets without a memory limit
        self.player = player
        self.workers = [Worker(state, self.agent, self.seed, k, self.allowance, player) for k in range(threads)]
        self.now = now  # clock in seconds
        self.seconds = 0.0
        self.stopped = "not started"
        self.expected_moves_left: float | None = None  # estimate at the start of the last search, from its playouts
        self._cancelled = threading.Event()
        self._run = self._runner()

    def _runner(self) -> RunPart:
        if len(self.workers) == 1:
            return announced(self.workers[0].run)
        return announced(partial(run_in_threads, self.workers, self._cancelled))

    def restart(self, state: State, seed: int) -> None:
        """Clear the tree and start at ``state``. Equivalent to a new search with that seed, but cheaper."""
        check_searchable(state)
        self.state = state
        self.seed = seed
        for worker in self.workers:
            worker.reset(state)
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Restart the random streams from ``seed``. Keeps the tree."""
        for stream, worker in enumerate(self.workers):
            worker.reseed(seed, stream)

    def cancel(self) -> None:
        """Stop a running search after its current chunk. Thread-safe."""
        self._cancelled.set()

    def run(
        self,
        budget: Budget | None = None,
        progress: Callable[[Search], object] | None = None,
        control: MoveTime | None = None,
    ) -> Report:
        """Search until the budget is spent. By default the budget is the one in the agent's text.

        ``progress`` is called with this search every 0.1 s. With ``control``, the budget's seconds are the initial
        ones, which the agent's timing may extend.
        """
        spendable, agent_control = effective_budget(self.agent, budget)
        call_author(self._spend, spendable, control or agent_control, self._continue_check(progress))
        return call_author(self.report)

    def choose(self, budget: Budget, control: MoveTime | None = None) -> int:
        """Search and return only the code of the recommended move: a report takes longer than a short search."""
        call_author(self._spend, budget, control, self._not_cancelled)
        if self.stopped == "memory" and budget.memory is None and budget.seconds is None:  # no report would show it
            raise RamifyError(
                f"the tree used half of the free memory, {(self.allowance.known or 0) / 1e6:,.0f} MB,"
                f" after {self.simulations():,} simulations: use a smaller budget"
            )
        moves = self.moves_of()
        visits, _, estimates = moves.statistics()
        return int(moves.codes()[moves.recommended(visits, estimates, moves.bounds())])

    def _spend(self, budget: Budget, control: MoveTime | None, go_on: Callable[[], bool]) -> None:
        """Search until the budget is spent."""
        parts = self._begin(budget, control)
        for part in parts:
            parts.stopped = self._run(part, go_on, self.now)
        self._end(parts)

    def _begin(self, budget: Budget, control: MoveTime | None) -> BudgetParts:
        """Start a run. Return the parts of its budget."""
        if not isinstance(budget, Budget):
            raise RamifyError(f"run() takes a Budget such as Budget(simulations=1000), not {budget!r}")
        check_searchable(self.state)
        allocation = self.agent.allocation
        if allocation.needs_simulations and budget.simulations is None:
            raise RamifyError(f"allocation={allocation.title()} needs a number of simulations: set simulations")
        self._cancelled.clear()
        self._began = self.now()
        self.seconds = 0.0
        for worker in self.workers:
            worker.start_counting()
        return BudgetParts(self, budget, control)

    def _end(self, parts: BudgetParts) -> None:
        """Record the result of a run."""
        self.stopped = parts.stopped
        self.seconds = self.now() - self._began
        self.expected_moves_left = moves_left(self)

    def _not_cancelled(self) -> bool:
        return not self._cancelled.is_set()

    def _continue_check(self, progress: Callable[[Search], object] | None) -> Callable[[], bool]:
        """Return the function that is called between chunks. It returns False to stop, and calls ``progress``."""
        if progress is None:
            return self._not_cancelled
        shown = perf_counter()

        def go_on() -> bool:
            nonlocal shown
            if perf_counter() - shown > PROGRESS_SECONDS:
                shown = perf_counter()
                with ExitStack() as held:  # no tree may move in memory during the call
                    for worker in self.workers:
                        held.enter_context(worker.memory.relocation_lock)
                    progress(self)
            return self._not_cancelled()

        return go_on

    def advance(self, move: Move | str | Sequence[Move | str]) -> None:
        """Play a move, chance outcome or joint move, and keep the subtree below it."""
        found = self.state.find(move)
        self.advance_to(self.state.play(found), found.code)

    def advance_to(self, after: State, code: Code) -> None:
        """Like ``advance``, with a known resulting state."""
        for worker in self.workers:
            worker.advance(after, code)
        self.state = after

    def simulations(self) -> int:
        """Return the simulations of the current run."""
        return self.total("simulations")

    def calls(self) -> int:
        """Return the forward-model calls of the current run."""
        return self.total("calls")

    def total(self, counter: str) -> int:
        """Return a counter of the current run, summed over all trees."""
        return sum(int(worker.counters[counter][0]) for worker in self.workers)

    def moves_of(self, player: int | None = None) -> RootMoves:
        """Return the moves at the root; with simultaneous moves, those of ``player``.

        By default that is the player of this search, or the first player.
        """
        if player is None or not self._is_simultaneous:
            player = (self.player or 0) if self._is_simultaneous else int(self.workers[0].tree.nodes["mover"][ROOT])
        return RootMoves(self.workers, self.agent, player)

    def moves_of_all(self) -> list[RootMoves]:
        """Return the moves of all players who move at the root."""
        return [self.moves_of(player) for player in range(self.state.game.players if self._is_simultaneous else 1)]

    def requested_moves(self) -> list[RootMoves]:
        """Return the moves of the players to whom a move is recommended."""
        return self.moves_of_all() if self.player is None else [self.moves_of()]

    def _requested_player(self) -> int | None:
        """Return the player whose simultaneous move is recommended; if searched as turns, the one who moves first."""
        if self.state.to_move != SIMULTANEOUS:
            return None
        return self.player if self._is_simultaneous else self.player or 0

    @property
    def _is_simultaneous(self) -> bool:
        """Whether the root has simultaneous moves; False before it is expanded."""
        return bool(self.workers[0].tree.nodes["mover"][ROOT] == SIMULTANEOUS)

    def codes(self, player: int | None = None) -> Codes:
        """Return the codes of ``moves_of(player)``."""
        return self.moves_of(player).codes()

    def statistics(self, player: int | None = None) -> tuple[Floats, Floats, Floats]:
        """Return visits, mean values and estimates of ``moves_of(player)``; see ``RootMoves.statistics``."""
        return self.moves_of(player).statistics()

    def report(self) -> Report:
        """Return a report of the current state of the search."""
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
            line=self.workers[0].shape.visible_line(self.state, line),
            root=root_of(self.workers),
            simulations=self.total("simulations"),
            nodes=self.total("nodes"),
            transposition_hits=sum(worker.shape.transposition_hits for worker in self.workers),
            seconds=self.seconds,
            calls=self.total("calls"),
            depth=max(int(worker.counters["max_depth"][0]) for worker in self.workers),
            cut=self.total("cut_playouts"),
            stopped=self.stopped,
            note=self.workers[0].note,
            threads=len(self.workers),
        )


@accepting_numpy
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
    """Search from ``state`` and return the report. Requires a budget, here or in the agent's text.

    With simultaneous moves, ``player`` is the player whose move is recommended; see ``Search``.
    """
    made, budget, control = split_agent_budget(make_agent(agent), simulations, seconds, calls, memory)
    run = Search(state, made, seed=seed, threads=threads_for(budget, threads), player=player)
    return run.run(budget, progress, control)


def threads_for(budget: Budget, threads: int) -> int:
    """Limit threads to the number of simulations. Invalid numbers are returned unchanged and rejected later."""
    if budget.simulations is None or not isinstance(threads, int) or threads > MAX_THREADS:
        return threads
    return min(threads, budget.simulations)
