"""Batch shape: many simulations of one tree at once."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from ramify.agents.budgets.budget import NO_LIMIT, Budget
from ramify.agents.budgets.chunk_size import TIMED_CHUNK_SECONDS, ChunkSizer
from ramify.agents.shapes.batch_slots import ONE_WORD_BATCH, BatchSlots, slots_for
from ramify.agents.shapes.graph import NONE
from ramify.agents.shapes.open_loop import OPEN_LOOP_MODE
from ramify.agents.shapes.shape import Limits
from ramify.agents.shapes.tree import TreeShape
from ramify.contract.game import Game
from ramify.core.kernels.pointers import record
from ramify.core.search.loop import compiled_search
from ramify.core.search.plan import COUNTERS, GameTable, Memory, Plan
from ramify.errors import RamifyError
from ramify.strategies.policy.selectors import Selectors

if TYPE_CHECKING:
    from ramify.agents.agent import Agent

MIN_BATCH = 24  # slots; with fewer the tree shape is as fast in most games
RESIZE_FACTOR = 1.5  # restart the batch if this many times as many slots are affordable


class BatchShape(TreeShape):
    """Slots that descend one tree step by step. Runs as the tree shape if there are too few slots."""

    replaceable_means = False
    column_count = 2  # total reward of finished simulations, number of pending ones

    def __init__(self, game: Game, agent: Agent, selectors: Selectors, *, traced: bool) -> None:
        super().__init__(game, agent, selectors, traced=traced)
        self.batch = BatchSlots(game, traced=traced)
        self.slots = 1
        self.running = False  # whether slots are running, not the tree shape
        self._requested = agent.batch_size  # slots; 0: depends on the budget
        self._starts = NO_LIMIT  # total number of simulations that may start
        self._check_seconds = TIMED_CHUNK_SECONDS  # until the next check of the clock
        self._done_before = 0  # simulations finished before this batch started
        self._seconds = 0.0  # since then
        self._rate = 0.0  # simulations per second of the last batch that finished any; 0: unknown
        self._rate_slots = 1  # slots of that batch

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        """Whether the agent requests slots, or leaves the number open and everything is batchable."""
        return agent.batch_size > 1 or (agent.batch_size == 0 and game.has_batch and not not_batchable(agent, game))

    @classmethod
    def check_game(cls, agent: Agent, game: Game) -> None:
        """Raise if more than one slot is requested and something is not batchable."""
        reason = not_batchable(agent, game) or ("" if game.has_batch else game.name)
        if reason:
            raise RamifyError(f"{reason} does not support batches: set batch_size to 0 or 1, not {agent.batch_size}")

    @property
    def limits_calls(self) -> bool:
        """False for a batch: many steps pass before its first simulation ends."""
        return not self.running

    def load(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Compile or load the loops of the tree shape and of the batch."""
        super().load(table, plan, memory)
        self._search(table, plan, memory, Limits(0, 0, 0), starts=0, steps=0)
        self._discard(memory)

    def begin(self, budget: Budget, memory: Memory) -> None:
        """Choose the number of slots. Simulations of earlier parts of the budget count."""
        done = int(record(memory.counters, COUNTERS).simulations)
        self._starts = NO_LIMIT if budget.simulations is None else done + budget.simulations
        self._check_seconds = TIMED_CHUNK_SECONDS
        if budget.simulations is not None:
            allowed = slots_for(self._starts)
        else:
            allowed = max(MIN_BATCH, self._affordable_slots(done, budget.seconds or 0.0))
        self._restart(self._requested or allowed, memory)

    def _affordable_slots(self, done: int, seconds: float) -> int:
        """Return the slots for a search of ``seconds`` more, at the speed so far.

        All batches of up to one word cost the same.
        """
        slots = slots_for(min(self._starts, done + self._rate * seconds))
        if self._rate_slots >= ONE_WORD_BATCH:
            return slots
        faster = self._rate * ONE_WORD_BATCH / self._rate_slots
        return max(slots, min(ONE_WORD_BATCH, slots_for(min(self._starts, done + faster * seconds))))

    def _restart(self, slots: int, memory: Memory) -> None:
        """Start a batch of ``slots`` simulations."""
        self.finish(memory)
        self.slots = slots
        self._done_before, self._seconds = int(record(memory.counters, COUNTERS).simulations), 0.0
        self.running = slots >= (MIN_BATCH if self._requested == 0 else 2)
        if not self.running:
            return
        self.batch.begin(slots, memory.root, memory.rng)
        used = int(record(memory.counters, COUNTERS).nodes)
        known, pending = self._columns
        known[:used] = self.tree.nodes["total"][:used]
        pending[:used] = 0.0

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: Limits) -> int:
        """Simulate until a limit is reached, or until the next check of the clock."""
        if not self.running:
            return super().run(table, plan, memory, limits)
        began, before = perf_counter(), self.batch.steps
        check = before + max(1, int(self._check_seconds / self.batch.step_seconds) if self.batch.step_seconds else 1)
        status = self._search(table, plan, memory, limits, starts=self._starts, steps=check)
        if made := self.batch.steps - before:
            seconds = perf_counter() - began
            self.batch.step_seconds = seconds / made
            self._seconds += seconds
            if done := int(record(memory.counters, COUNTERS).simulations) - self._done_before:
                self._rate, self._rate_slots = done / max(self._seconds, 1e-7), self.slots
        return status

    def _search(self, table: GameTable, plan: Plan, memory: Memory, limits: Limits, *, starts: int, steps: int) -> int:
        from ramify.core.shapes.batch import Batch  # noqa: PLC0415

        shape = Batch(self.batch.address, limits.simulations, limits.calls, starts, steps)
        return int(compiled_search(shape)(shape, table, plan, memory, limits.simulations, limits.calls))

    def too_late(self, left: float, pace: ChunkSizer, memory: Memory) -> bool:
        """Whether time is up; unfinished simulations are discarded.

        Restarts with a larger batch if the speed allows more simulations than expected.
        """
        if not self.running:
            return super().too_late(left, pace, memory)
        self._check_seconds = min(TIMED_CHUNK_SECONDS, left)
        done = int(record(memory.counters, COUNTERS).simulations)
        slots = self._affordable_slots(done, left)
        if not self._requested and slots > RESIZE_FACTOR * self.slots:
            self._restart(slots, memory)
        return left <= 0.0

    def finish(self, memory: Memory) -> None:
        """Discard unfinished simulations."""
        if self.running:
            self._discard(memory)

    def _discard(self, memory: Memory) -> None:
        from ramify.core.shapes.batch import discard_unfinished  # noqa: PLC0415

        discard_unfinished(memory, self.batch.address)

    def set_addresses(self, memory: Memory, columns: int) -> None:
        first = (columns - memory.columns) // (8 * memory.stride)
        self._columns = self.tree.columns[first : first + self.column_count]
        self.batch.record["known"], self.batch.record["pending"] = columns, columns + 8 * memory.stride


def not_batchable(agent: Agent, game: Game) -> str:
    """Return what prevents batches, e.g. "prove=true"; empty if nothing does.

    Each strategy declares whether it is ``batchable``. Proofs and transpositions change the tree under slots that are
    descending. Games with simultaneous moves or move classes are not supported.
    """
    for selection in (agent.select_root, agent.select):
        if not selection.policy.batchable:
            return f"select={selection.name}"
    for strategy in (agent.allocation, agent.playout, agent.reward, agent.backup, agent.recommend, agent.updates):
        for one in strategy.nested():
            if not one.batchable:
                return f"{strategy.role}={one.title()}"
    if agent.prove:
        return "prove=true"
    if agent.transpositions != NONE:
        return f"transpositions={agent.transpositions}"
    if agent.chance == OPEN_LOOP_MODE and game.has_chance:
        return "chance=open_loop"
    return game.name if game.has("play_joint") or game.has("move_class") else ""
