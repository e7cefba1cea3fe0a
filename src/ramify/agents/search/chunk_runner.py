"""Runs the compiled loop in chunks and checks clock, memory and cancellation in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from weakref import WeakMethod

from ramify.agents.budgets.budget import NO_LIMIT, Budget
from ramify.agents.budgets.chunk_size import Chunk, ChunkSizer
from ramify.agents.budgets.warm_up import WarmUp
from ramify.agents.search.build import SearchParts
from ramify.agents.search.build_plan import build_plan, hook_table
from ramify.agents.search.tree_memory import TreeMemory
from ramify.agents.shapes.shape import Limits
from ramify.core.kernels.compiling import JIT
from ramify.core.search.plan import FULL
from ramify.errors import GameViolationError
from ramify.strategies.base import MAX_PLIES

# Adds the position and the seed to an error. Weak, because a runner must not keep its worker (and tree) alive.
AddContext = WeakMethod[Callable[[Exception], Exception]]


def always() -> bool:
    return True


class ChunkRunner:
    """Runs the search loop on one tree. ``go_on`` and ``clock`` belong to the current run."""

    def __init__(self, parts: SearchParts, memory: TreeMemory, add_context: AddContext) -> None:
        self.parts, self.memory, self.shape = parts, memory, parts.shape
        self.table = parts.table
        self._hooks = hook_table(parts.hooks)
        self.plan = build_plan(parts, self._hooks)
        self.add_context = add_context
        self.chunk_sizer = ChunkSizer()
        reward, block = parts.agent.reward, parts.reward.block if parts.reward else None
        self.warm_up = WarmUp(reward, block) if reward.warm_up and block is not None else None
        self.go_on: Callable[[], bool] = always
        self.clock: Callable[[], float] = perf_counter

    def begin(self, budget: Budget, go_on: Callable[[], bool], clock: Callable[[], float]) -> None:
        """Start a run with this budget, which ``spend`` may get in parts."""
        self.go_on, self.clock = go_on, clock
        if self.warm_up:
            self.warm_up.begin(budget, self.memory.counters, clock)
        self.chunk_sizer.begin()

    def expand_root(self) -> None:
        """Expand the root. A new tree always has capacity for its children."""
        with self._adding_context():
            self.shape.expand_root(self.table, self.plan, self.memory.addresses)

    def fix_root(self) -> bool:
        """Make a kept subtree fit its new root. Return False if the tree is full."""
        with self.parts.game.explaining_errors():
            return self.shape.fix_root(self.table, self.plan, self.memory.addresses)

    def load(self) -> None:
        """Compile the loop, or load it from the cache, before any clock runs."""
        self.shape.load(self.table, self.plan, self.memory.addresses)

    def spend(self, budget: Budget) -> str:
        """Simulate until the budget is spent or ``go_on()`` returns False. Return the stop reason."""
        memory, counters, shape, clock = self.memory, self.memory.counters, self.shape, self.clock
        start, already = clock(), int(counters["simulations"][0])
        simulations = already + budget.simulations if budget.simulations else NO_LIMIT
        calls = int(counters["calls"][0]) + budget.calls if budget.calls else NO_LIMIT
        memory.check_minimum(budget)
        chunk = self.chunk_sizer.first(self._seconds_to_check(budget.seconds))
        try:
            shape.begin(budget, memory.addresses)
            while True:
                before, so_far = clock(), self._work_done()
                limits = self._limits(simulations, calls, so_far, chunk)
                with self._adding_context():
                    status = shape.run(self.table, self.plan, memory.addresses_within(budget), limits)
                self._check()
                done = self._work_done()  # less than planned if the tree had to grow
                if status == FULL and not memory.grow(budget):
                    return "memory"
                if end := shape.stop_reason(status, int(counters["simulations"][0]), already, simulations):
                    return end
                if done.calls >= calls:
                    return "calls"
                now = clock()
                self.chunk_sizer.measure(Chunk(done.work - so_far.work, done.calls - so_far.calls), now - before)
                left = None if budget.seconds is None else budget.seconds - (now - start)
                if left is not None and shape.too_late(left, self.chunk_sizer, memory.addresses):
                    return "seconds"
                if not self.go_on():
                    return "cancelled"
                chunk = self.chunk_sizer.next(chunk, self._seconds_to_check(left))
        finally:
            shape.finish(memory.addresses)

    @contextmanager
    def _adding_context(self) -> Iterator[None]:
        """Add the position and the seed to errors of the game's or policy's code."""
        try:
            with self.parts.game.explaining_errors():
                yield
        except Exception as error:  # noqa: BLE001  (a user's code may raise anything)
            add_context = self.add_context()
            raise (error if add_context is None else add_context(error)) from error.__cause__
        except BaseException:
            if not JIT:
                self.memory.clear()  # Ctrl-C may stop plain Python in the middle of a backup
            raise

    def _limits(self, simulations: int, calls: int, so_far: Chunk, chunk: Chunk) -> Limits:
        """Return the limits of the next chunk. It never passes the end of a reward's warm-up."""
        work = so_far.work + chunk.work
        if self.shape.limits_calls:
            calls = min(calls, so_far.calls + chunk.calls)
        if self.warm_up:
            simulations, calls = self.warm_up.limits(simulations, calls)
            work = min(work, so_far.work + max(1, simulations - int(self.memory.counters["simulations"][0])))
        return Limits(simulations, calls, work)

    def _check(self) -> None:
        """End the warm-up if it is time, and raise errors that shape or hooks found during the last chunk."""
        if self.warm_up:
            self.warm_up.check(self.memory.counters)
        for one in self.parts.column_owners:
            one.check()
        limit = self.parts.agent.playout.limit
        if self.parts.game.is_users and limit >= MAX_PLIES and self.memory.counters["cut_playouts"][0]:
            raise GameViolationError(
                f"{self.parts.game.name}: a playout had not ended after {limit:,} plies; every game must end, if"
                " necessary by a limit on plies"
            )

    def _work_done(self) -> Chunk:
        """Return the work and calls so far."""
        return Chunk(self.shape.work(self.memory.counters), int(self.memory.counters["calls"][0]))

    def _seconds_to_check(self, left: float | None) -> float | None:
        """Return the seconds until the time limit or the end of the warm-up."""
        return self.warm_up.seconds_to_check(left) if self.warm_up else left
