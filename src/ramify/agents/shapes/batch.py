"""The batch: many simulations of one tree at once."""

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

MIN_BATCH = 24  # slots; with fewer the tree shape is as quick in most games
RESIZE_FACTOR = 1.5  # times as many slots are worth a new beginning


class BatchShape(TreeShape):
    """Slots that descend one tree step by step; where they would be too few, the tree shape."""

    replaceable_means = False
    rows = 2  # the sum of what is known, and how many simulations are pending

    def __init__(self, game: Game, agent: Agent, choosers: Selectors, *, traced: bool) -> None:
        super().__init__(game, agent, choosers, traced=traced)
        self.batch = BatchSlots(game, traced=traced)
        self.slots = 1
        self.running = False  # whether slots are at work, and not the tree shape
        self._wanted = agent.batch_size  # how many slots; 0: as many as the budget allows for
        self._starts = NO_LIMIT  # simulations that may begin, in all
        self._patience = TIMED_CHUNK_SECONDS  # until somebody looks at the clock
        self._begun = 0  # simulations that were done when these slots began
        self._seconds = 0.0  # since then
        self._rate = 0.0  # simulations per second of the last batch that finished some; 0: there was none
        self._rated = 1  # slots that it had

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        """Where the agent asks for slots, or leaves it open and everything is batchable."""
        return agent.batch_size > 1 or (agent.batch_size == 0 and game.has_batch and not not_batchable(agent, game))

    @classmethod
    def check_game(cls, agent: Agent, game: Game) -> None:
        """Reject a number of slots where there can be only one."""
        reason = not_batchable(agent, game) or ("" if game.has_batch else game.name)
        if reason:
            raise RamifyError(
                f"{reason} goes one simulation at a time, so lanes must be 0 or 1, not {agent.batch_size}"
            )

    @property
    def paced(self) -> bool:
        """Not in a batch: it takes many steps until the first simulation ends."""
        return not self.running

    def load(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Load or compile the loop of each shape that it may run as: the tree and the batch."""
        super().load(table, plan, memory)
        self._search(table, plan, memory, Limits(0, 0, 0), starts=0, steps=0)
        self._discard(memory)

    def begin(self, budget: Budget, memory: Memory) -> None:
        """Choose the number of slots; earlier parts of the same search count."""
        done = int(record(memory.counters, COUNTERS).simulations)
        self._starts = NO_LIMIT if budget.simulations is None else done + budget.simulations
        self._patience = TIMED_CHUNK_SECONDS
        if budget.simulations is not None:
            allowed = slots_for(self._starts)
        else:
            allowed = max(MIN_BATCH, self._promising(done, budget.seconds or 0.0))
        self._restart(self._wanted or allowed, memory)

    def _promising(self, done: int, seconds: float) -> int:
        """The slots for a search that goes on for so long, by the speed so far; slots of one word cost alike."""
        slots = slots_for(min(self._starts, done + self._rate * seconds))
        if self._rated >= ONE_WORD_BATCH:
            return slots
        faster = self._rate * ONE_WORD_BATCH / self._rated
        return max(slots, min(ONE_WORD_BATCH, slots_for(min(self._starts, done + faster * seconds))))

    def _restart(self, slots: int, memory: Memory) -> None:
        """Have batches of so many simulations from now on."""
        self.leave(memory)
        self.slots = slots
        self._begun, self._seconds = int(record(memory.counters, COUNTERS).simulations), 0.0
        self.running = slots >= (MIN_BATCH if self._wanted == 0 else 2)
        if not self.running:
            return
        self.batch.begin(slots, memory.root, memory.rng)
        used = int(record(memory.counters, COUNTERS).nodes)
        known, pending = self._columns
        known[:used] = self.tree.nodes["total"][:used]
        pending[:used] = 0.0

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: Limits) -> int:
        """Simulate until a limit is reached, or until it is time to look at the clock."""
        if not self.running:
            return super().run(table, plan, memory, limits)
        began, before = perf_counter(), self.batch.steps
        look = before + max(1, int(self._patience / self.batch.step_seconds) if self.batch.step_seconds else 1)
        status = self._search(table, plan, memory, limits, starts=self._starts, steps=look)
        if made := self.batch.steps - before:
            seconds = perf_counter() - began
            self.batch.step_seconds = seconds / made
            self._seconds += seconds
            if done := int(record(memory.counters, COUNTERS).simulations) - self._begun:
                self._rate, self._rated = done / max(self._seconds, 1e-7), self.slots
        return status

    def _search(self, table: GameTable, plan: Plan, memory: Memory, limits: Limits, *, starts: int, steps: int) -> int:
        from ramify.core.shapes.batch import Batch  # noqa: PLC0415

        shape = Batch(self.batch.address, limits.simulations, limits.calls, starts, steps)
        return int(compiled_search(shape)(shape, table, plan, memory, limits.simulations, limits.calls))

    def late(self, left: float, pace: ChunkSizer, memory: Memory) -> bool:
        """Whether time is up; unfinished simulations need not end.

        Where time allows for more simulations than it seemed, batches are larger from now on.
        """
        if not self.running:
            return super().late(left, pace, memory)
        self._patience = min(TIMED_CHUNK_SECONDS, left)
        done = int(record(memory.counters, COUNTERS).simulations)
        slots = self._promising(done, left)
        if not self._wanted and slots > RESIZE_FACTOR * self.slots:
            self._restart(slots, memory)
        return left <= 0.0

    def leave(self, memory: Memory) -> None:
        """Forget unfinished simulations."""
        if self.running:
            self._discard(memory)

    def _discard(self, memory: Memory) -> None:
        from ramify.core.shapes.batch import discard_unfinished  # noqa: PLC0415

        discard_unfinished(memory, self.batch.address)

    def set_addresses(self, memory: Memory, columns: int) -> None:
        """Its two columns."""
        first = (columns - memory.columns) // (8 * memory.stride)
        self._columns = self.tree.columns[first : first + self.rows]
        self.batch.record["known"], self.batch.record["pending"] = columns, columns + 8 * memory.stride


def not_batchable(agent: Agent, game: Game) -> str:
    """What allows for one simulation at a time only; empty where nothing does.

    Every strategy says itself whether it works in a batch. Proofs and transpositions change the tree in ways that a
    slot on its way down would not notice. In a game everybody may move at once; or its moves may have classes, which
    are known of one position at a time.
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
