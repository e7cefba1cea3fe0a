"""Base class of shapes. A shape defines how a search selects, expands and backs up through its nodes.

Each file of this folder is the Python half of a shape: its tree, its memory, the combinations it does not support, how
it is displayed, and ``fits``. The file of the same name in ``core.shapes`` is the compiled half: a NamedTuple, and the
steps of the search loop that it implements in its own way. Shapes are found by scanning: a new shape is two new files.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy.typing as npt

from ramify.agents.budgets.budget import Budget
from ramify.agents.budgets.chunk_size import ChunkSizer
from ramify.agents.shapes.column_owner import ColumnOwner
from ramify.agents.shapes.tree_arrays import Tree
from ramify.contract.game import Code, Game, State
from ramify.core.search.loop import compiled_expand_root, compiled_search
from ramify.core.search.plan import ENOUGH, PROVEN, GameTable, Memory, Plan
from ramify.core.search.tree import ROOT
from ramify.strategies.base import HalvingProgress
from ramify.strategies.policy.selectors import Selectors

if TYPE_CHECKING:
    from ramify.agents.agent import Agent


class Limits(NamedTuple):
    """Limits of one call of the loop, as totals since the start of the run. The first one reached ends the call."""

    simulations: int
    calls: int  # forward-model calls
    work: int  # simulations actually run (SHOT counts duplicates without running them)


class Shape(ColumnOwner):
    """Base class of shapes. The defaults are those of a tree."""

    example: ClassVar[tuple[str, str] | None] = None  # a game and an agent whose search has this shape
    shares_nodes: ClassVar[bool] = False  # whether several edges can lead to one node
    replaceable_means: ClassVar[bool] = False  # whether a backup may replace the totals of nodes
    tree: Tree
    max_new_nodes: int  # maximum number of nodes that one simulation adds

    def __init__(self, game: Game, agent: Agent, selectors: Selectors, *, traced: bool) -> None:
        del agent, selectors, traced
        self.game = game
        self.max_new_nodes = game.max_children

    @classmethod
    def title(cls) -> str:
        """Return the name for messages, e.g. "open loop" for OpenLoopShape."""
        return re.sub(r"(?<!^)(?=[A-Z])", " ", cls.__name__.removesuffix("Shape")).lower()

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        """Whether the agent's search of the game has this shape. At most one shape besides the tree may fit."""
        raise NotImplementedError

    @classmethod
    def check_agent(cls, agent: Agent) -> None:
        """Raise if the agent requests this shape and a strategy that it does not support, in any game."""

    @classmethod
    def check_game(cls, agent: Agent, game: Game) -> None:
        """Raise for strategies and games that the shape does not support. Called if it fits."""

    def make_tree(self, columns: int) -> None:
        """Create the tree's arrays with ``columns`` columns in total."""
        self.tree = Tree(columns, 2 * self.max_new_nodes)

    # The loop.

    def compiled(self) -> Any:
        """Return the shape's argument to the compiled loop, a NamedTuple of integers."""
        raise NotImplementedError

    def load(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Compile the loop or load it from the cache."""
        self.run(table, plan, memory, Limits(0, 0, 0))

    def expand_root(self, table: GameTable, plan: Plan, memory: Memory) -> int:
        """Expand the root. Return the number of children."""
        shape = self.compiled()
        return int(compiled_expand_root(shape)(shape, table, plan, memory))

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: Limits) -> int:
        """Simulate until a limit is reached. Return the status of the loop."""
        shape = self.compiled()
        simulations = min(limits.simulations, limits.work)
        return int(compiled_search(shape)(shape, table, plan, memory, simulations, limits.calls))

    # Spending a budget.

    @property
    def limits_calls(self) -> bool:
        """Whether chunks are limited by calls; if not, the shape limits their time itself."""
        return True

    def begin(self, budget: Budget, memory: Memory) -> None:
        """Called before a budget is spent."""

    def finish(self, memory: Memory) -> None:
        """Clean up after a budget was spent or an error occurred."""

    def work(self, counters: npt.NDArray[Any]) -> int:
        """Return the number of simulations actually run so far."""
        return int(counters["simulations"][0])

    def stop_reason(self, status: int, spent: int, already: int, simulations: int) -> str:
        """Return the stop reason if the loop ended the search, else "".

        ``spent``: simulations so far; ``already``: at the start; ``simulations``: the limit.
        """
        del already
        if status in (ENOUGH, PROVEN):
            return "enough" if status == ENOUGH else "proven"
        return "simulations" if spent >= simulations else ""

    def too_late(self, left: float, chunk_sizer: ChunkSizer, memory: Memory) -> bool:
        """Whether the next simulation would exceed the time limit; ``left``: remaining seconds."""
        del memory
        return chunk_sizer.too_late(left)

    def grow_buffers(self) -> bool:
        """Grow buffers that do not count as memory of the tree. Return whether one of them was full."""
        return False

    # The root.

    def fix_root(self, table: GameTable, plan: Plan, memory: Memory) -> bool:
        """Make a kept subtree fit its new root. Return False if the tree is full."""
        del table, plan, memory
        return True

    def child_of_root(self, state: State, code: Code) -> int | None:
        """Return the node that a move leads to from the root, whose position is ``state``, or None."""
        del state
        return self.tree.child(ROOT, code)

    def write_episode(self, episode: npt.NDArray[Any], state: State, player: int | None) -> None:
        """Write the fields of the episode that depend on the shape, the root's state or the searching player."""

    def moves_at_root(self, player: int) -> slice:
        """Return the nodes of the root's moves; with simultaneous moves, those of ``player``."""
        del player
        return self.tree.children(ROOT)

    def draw_order(self, player: int) -> int:
        """Return the number of players that draw before ``player`` at a simultaneous node."""
        del player
        return 0

    def discover_next(self, order: str) -> None:
        """Let the next run discover nodes in this order (SHOT's warm-up)."""
        raise NotImplementedError

    def halving_progress(self) -> HalvingProgress:
        """Return the progress of the halving at the root (SHOT)."""
        return HalvingProgress(0, 0, 0)

    # Display.

    @property
    def plies_per_round(self) -> int:
        """Plies in which every player moves once."""
        return self.game.players

    @property
    def transposition_hits(self) -> int:
        """Number of edges led to a position that was already in the table."""
        return 0

    def can_show_children(self, state: State) -> bool:
        """Whether the children of a node with this state can be shown."""
        del state
        return True

    def visible_line(self, state: State, line: list[Code]) -> list[Code]:
        """Return the part of a line that can be shown."""
        del state
        return line
