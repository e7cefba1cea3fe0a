"""Spends a budget on one tree in chunks of the compiled loop, with a look at the clock in between."""

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

# Adds the position and the seed to an error. A worker is not to be kept alive by its runner: trees are large.
Locate = WeakMethod[Callable[[Exception], Exception]]


def always() -> bool:
    """Go on."""
    return True


class ChunkRunner:
    """Runs the loop of one tree. ``go_on`` and ``clock`` are those of the run at hand."""

    def __init__(self, parts: SearchParts, memory: TreeMemory, locate: Locate) -> None:
        self.parts, self.memory, self.shape = parts, memory, parts.shape
        self.table = parts.table
        self._hooks = hook_table(parts.hooks)
        self.plan = build_plan(parts, self._hooks)
        self.locate = locate
        self.pace = ChunkSizer()
        reward, block = parts.agent.reward, parts.reward.block if parts.reward else None
        self.warm_up = WarmUp(reward, block) if reward.warm_up and block is not None else None
        self.go_on: Callable[[], bool] = always
        self.clock: Callable[[], float] = perf_counter

    def begin(self, budget: Budget, go_on: Callable[[], bool], clock: Callable[[], float]) -> None:
        """Prepare to spend a whole budget, perhaps in parts."""
        self.go_on, self.clock = go_on, clock
        if self.warm_up:
            self.warm_up.begin(budget, self.memory.counters, clock)
        self.pace.begin()

    def expand_root(self) -> None:
        """Give the root its children; a tree begins with room for them."""
        with self._running():
            self.shape.expand_root(self.table, self.plan, self.memory.addresses)

    def settle(self) -> bool:
        """Adapt the tree to a root that was a child before; whether there is room for that."""
        with self.parts.game.explaining_errors():
            return self.shape.settle(self.table, self.plan, self.memory.addresses)

    def load(self) -> None:
        """Load or compile the loop, off the clock."""
        self.shape.load(self.table, self.plan, self.memory.addresses)

    def spend(self, budget: Budget) -> str:
        """Simulate until the budget is spent or ``go_on`` says no; which of them stopped it."""
        memory, counters, shape, clock = self.memory, self.memory.counters, self.shape, self.clock
        start, already = clock(), int(counters["simulations"][0])
        simulations = already + budget.simulations if budget.simulations else NO_LIMIT
        calls = int(counters["calls"][0]) + budget.calls if budget.calls else NO_LIMIT
        memory.check_smallest(budget)
        chunk = self.pace.first(self._until_a_look(budget.seconds))
        try:
            shape.begin(budget, memory.addresses)
            while True:
                before, so_far = clock(), self._done()
                limits = self._limits(simulations, calls, so_far, chunk)
                with self._running():
                    status = shape.run(self.table, self.plan, memory.within(budget), limits)
                self._look()
                done = self._done()  # less than was planned where the tree had to grow
                if status == FULL and not memory.grow(budget):
                    return "memory"
                if end := shape.end(status, int(counters["simulations"][0]), already, simulations):
                    return end
                if done.calls >= calls:
                    return "calls"
                now = clock()
                self.pace.measure(Chunk(done.work - so_far.work, done.calls - so_far.calls), now - before)
                left = None if budget.seconds is None else budget.seconds - (now - start)
                if left is not None and shape.late(left, self.pace, memory.addresses):
                    return "seconds"
                if not self.go_on():
                    return "cancelled"
                chunk = self.pace.next(chunk, self._until_a_look(left))
        finally:
            shape.leave(memory.addresses)

    @contextmanager
    def _running(self) -> Iterator[None]:
        """Run compiled code; an error of an author's gets the position and the seed."""
        try:
            with self.parts.game.explaining_errors():
                yield
        except Exception as error:  # noqa: BLE001  (whatever an author's code may raise)
            locate = self.locate()
            raise (error if locate is None else locate(error)) from error.__cause__
        except BaseException:
            if not JIT:
                self.memory.clear()  # Ctrl-C stops plain Python anywhere; all else fails before or after step 4
            raise

    def _limits(self, simulations: int, calls: int, so_far: Chunk, chunk: Chunk) -> Limits:
        """Where the next chunk ends; a reward that warms up ends it at the right simulation."""
        work = so_far.work + chunk.work
        if self.shape.paced:
            calls = min(calls, so_far.calls + chunk.calls)
        if self.warm_up:
            simulations, calls = self.warm_up.limits(simulations, calls)
            work = min(work, so_far.work + max(1, simulations - int(self.memory.counters["simulations"][0])))
        return Limits(simulations, calls, work)

    def _look(self) -> None:
        """Look at what the last chunk left: a reward may be warm, a hook may have met something wrong."""
        if self.warm_up:
            self.warm_up.check(self.memory.counters)
        for one in self.parts.column_owners:
            one.check()

    def _done(self) -> Chunk:
        """What was done so far."""
        return Chunk(self.shape.work(self.memory.counters), int(self.memory.counters["calls"][0]))

    def _until_a_look(self, left: float | None) -> float | None:
        """The seconds left, or until the reward is warm."""
        return self.warm_up.seconds_to_check(left) if self.warm_up else left
