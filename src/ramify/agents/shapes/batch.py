"""The loop with many simulations in flight."""

from __future__ import annotations

from time import perf_counter

from ramify.agents.budgets.budget import NO_LIMIT, Budget
from ramify.agents.budgets.chunk_size import TIMED_SECONDS, Pace
from ramify.agents.shapes import batch_memory as flight
from ramify.agents.shapes.batch_memory import NARROW, Flight, lanes_for
from ramify.agents.shapes.tree import Sequential
from ramify.contract.game import Game
from ramify.core.kernels.pointers import record
from ramify.core.search.plan import COUNTERS, GameTable, Memory, Plan
from ramify.core.shapes.batch import abandon, fly

MORE = 1.5  # times as many lanes are worth a new beginning
COLUMNS = 2  # beside the tree: what is known, and how many simulations are pending


class InFlight(Sequential):
    """The loop of ``core.shapes.batch``; where lanes would be too few, the sequential one.

    ``wanted``: how many lanes; 0: as many as the budget allows for.
    """

    def __init__(self, game: Game, rows: int, memory: Flight, wanted: int) -> None:
        super().__init__(game, rows + COLUMNS)
        self.flight = memory
        self.lanes = 1
        self.flies = False  # whether lanes are at work, and not the sequential loop
        self._wanted = wanted
        self._starts = NO_LIMIT  # simulations that may begin, in all
        self._patience = TIMED_SECONDS  # until somebody looks at the clock
        self._begun = 0  # simulations that were done when these lanes took off
        self._flown = 0.0  # seconds since then
        self._rate = 0.0  # simulations a second of the last flight that finished some; 0: there was none
        self._rated = 1  # lanes that it had

    @property
    def paced(self) -> bool:
        """Not in flight: it takes many steps until the first simulation ends."""
        return not self.flies

    def load(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Load or compile both loops."""
        super().load(table, plan, memory)
        self._place(memory)
        fly(table, plan, memory, self.flight.where, 0, 0, 0, 0)
        abandon(memory, self.flight.where)

    def begin(self, budget: Budget, memory: Memory) -> None:
        """Choose the number of lanes; earlier parts of the same search count."""
        done = int(record(memory.counters, COUNTERS).simulations)
        self._starts = NO_LIMIT if budget.simulations is None else done + budget.simulations
        self._patience = TIMED_SECONDS
        if budget.simulations is not None:
            allowed = lanes_for(self._starts)
        else:
            allowed = max(flight.FEWEST, self._promising(done, budget.seconds or 0.0))
        self._take_off(self._wanted or allowed, memory)

    def _promising(self, done: int, seconds: float) -> int:
        """The lanes for a search that goes on for so long, by the speed so far; lanes of one word cost alike."""
        lanes = lanes_for(min(self._starts, done + self._rate * seconds))
        if self._rated >= NARROW:
            return lanes
        faster = self._rate * NARROW / self._rated
        return max(lanes, min(NARROW, lanes_for(min(self._starts, done + faster * seconds))))

    def _take_off(self, lanes: int, memory: Memory) -> None:
        """Have so many simulations in flight from now on."""
        self.leave(memory)
        self.lanes = lanes
        self._begun, self._flown = int(record(memory.counters, COUNTERS).simulations), 0.0
        self.flies = lanes >= (flight.FEWEST if self._wanted == 0 else 2)
        if not self.flies:
            return
        self.flight.begin(lanes, memory.root, memory.rng)
        used = int(record(memory.counters, COUNTERS).nodes)
        known, pending = self.tree.columns[-COLUMNS:]
        known[:used] = self.tree.nodes["total"][:used]
        pending[:used] = 0.0

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: tuple[int, int, int]) -> int:
        """Simulate until a limit is reached, or until it is time to look at the clock."""
        if not self.flies:
            return super().run(table, plan, memory, limits)
        simulations, calls, _ = limits
        self._place(memory)
        began, before = perf_counter(), self.flight.steps
        look = before + max(1, int(self._patience / self.flight.step_seconds) if self.flight.step_seconds else 1)
        status = int(fly(table, plan, memory, self.flight.where, simulations, calls, self._starts, look))
        if made := self.flight.steps - before:
            seconds = perf_counter() - began
            self.flight.step_seconds = seconds / made
            self._flown += seconds
            self._rate_it(memory)
        return status

    def _rate_it(self, memory: Memory) -> None:
        """Note the speed of this flight."""
        if done := int(record(memory.counters, COUNTERS).simulations) - self._begun:
            self._rate, self._rated = done / max(self._flown, 1e-7), self.lanes

    def late(self, left: float, pace: Pace, memory: Memory) -> bool:
        """Whether time is up; what is in flight need not end.

        Where time allows for more simulations than it seemed, more are in flight from now on.
        """
        if not self.flies:
            return super().late(left, pace, memory)
        self._patience = min(TIMED_SECONDS, left)
        done = int(record(memory.counters, COUNTERS).simulations)
        lanes = self._promising(done, left)
        if not self._wanted and lanes > MORE * self.lanes:
            self._take_off(lanes, memory)
        return left <= 0.0

    def leave(self, memory: Memory) -> None:
        """Forget what is in flight."""
        if self.flies:
            self._place(memory)
            abandon(memory, self.flight.where)

    def _place(self, memory: Memory) -> None:
        """Say where the columns beside the tree are, which move when it grows."""
        known = memory.columns + 8 * memory.stride * (memory.rows - COLUMNS)
        self.flight.record["known"], self.flight.record["pending"] = known, known + 8 * memory.stride
