"""SHOT shape: sequential halving at every node, with a stack of frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ramify.agents.budgets.budget import NO_LIMIT, Budget
from ramify.agents.shapes.shape import Limits, Shape
from ramify.agents.shapes.tree_arrays import aligned
from ramify.contract.game import Game
from ramify.core.kernels.pointers import address
from ramify.core.search.episode import MAX_DEPTH
from ramify.core.search.loop import compiled_search
from ramify.core.search.plan import GameTable, Memory, Plan
from ramify.core.search.tree import NODE, ROOT
from ramify.strategies.base import HalvingProgress, HalvingSpec
from ramify.strategies.policy.selectors import Selectors

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.core.shapes.shot import ShotStack

INITIAL_CAPACITY = 32  # frames
MAX_CAPACITY = MAX_DEPTH + 2  # the loop needs a spare frame


class ShotShape(Shape):
    """A stack of frames that grows on demand.

    States never move in memory: some games identify positions by address.
    """

    example = ("tictactoe", "mcts(allocation=shot)")

    def __init__(self, game: Game, agent: Agent, selectors: Selectors, *, traced: bool) -> None:
        super().__init__(game, agent, selectors, traced=traced)
        from ramify.core.shapes.shot_rounds import FRAME, SHOT_TASK  # noqa: PLC0415

        halving = agent.allocation.tree_halving() or HalvingSpec()
        self.task = np.zeros(1, SHOT_TASK)
        self.task["depth"], self.task["limit"], self.task["carries_over"] = -1, halving.limit, halving.carries_over
        self.task["stop"] = halving.stop
        self._next_order = 0  # of the next run, if it is a warm-up
        self.frames = np.zeros(INITIAL_CAPACITY, FRAME)
        self._states = [np.zeros((INITIAL_CAPACITY - 1, aligned(game.state_bytes)), np.uint8)]
        self._places = np.array([0, *(address(state) for state in self._states[0])], np.int64)
        self._means = np.empty(game.max_children)
        self._order = np.empty(game.max_children, np.int64)
        self._spare = np.empty(game.max_children, NODE)

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        del game
        return agent.allocation.tree_halving() is not None

    def compiled(self) -> ShotStack:
        from ramify.core.shapes.shot import ShotStack  # noqa: PLC0415

        return ShotStack(
            task=address(self.task),
            frames=address(self.frames),
            capacity=len(self.frames),
            states=address(self._places),
            means=address(self._means),
            order=address(self._order),
            spare=address(self._spare),
        )

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: Limits) -> int:
        """Run; the frames hold the limit on simulations."""
        shape = self.compiled()
        return int(compiled_search(shape)(shape, table, plan, memory, limits.work, limits.calls))

    def begin(self, budget: Budget, memory: Memory) -> None:
        """Push the root's frame with the budget."""
        del memory
        self.frames[0] = 0
        self.frames["node"][0], self.frames["budget"][0] = ROOT, budget.simulations or NO_LIMIT
        self.task["depth"] = self.task["played"] = self.task["level"] = 0
        self.task["order"], self.task["found"], self._next_order = self._next_order, 0, 0

    def work(self, counters: npt.NDArray[Any]) -> int:
        """Return the simulations actually run; visits of terminal nodes are counted without running them."""
        del counters
        return int(self.task["work"][0])

    def stop_reason(self, status: int, spent: int, already: int, simulations: int) -> str:
        """Return the stop reason if the loop ended the search, else ""."""
        if int(self.task["depth"][0]) < 0:  # halving may leave a part of the budget unspent
            return "simulations" if spent > already else "enough"
        return super().stop_reason(status, min(spent, simulations - 1), already, simulations)

    def set_addresses(self, memory: Memory, columns: int) -> None:
        del columns
        self._places[0] = memory.root

    def grow_buffers(self) -> bool:
        """Double the number of frames, up to the maximum depth. Return whether the stack was full."""
        if int(self.task["depth"][0]) + 1 < len(self.frames):
            return False
        more = min(len(self.frames), MAX_CAPACITY - len(self.frames))
        self.frames = np.concatenate([self.frames, np.zeros(more, self.frames.dtype)])
        self._states.append(np.zeros((more, self._states[0].shape[1]), np.uint8))
        places = [address(state) for state in self._states[-1]]
        self._places = np.concatenate([self._places, np.array(places, np.int64)])
        return True

    def discover_next(self, order: str) -> None:
        from ramify.core.shapes.shot_rounds import BREADTH_FIRST, DEPTH_FIRST  # noqa: PLC0415

        self._next_order = {"depth_first": DEPTH_FIRST, "breadth_first": BREADTH_FIRST}[order]

    def halving_progress(self) -> HalvingProgress:
        return HalvingProgress(*(int(self.frames[name][0]) for name in ("round", "rounds", "left")))
