"""The shape of a search: how it opens a node, steps through it and backs it up.

One file per shape in this folder has what the shape is in Python: its tree, its memory, what it excludes, how it is
shown, and ``fits``. Its file in ``core.shapes`` has the compiled half: a NamedTuple, and the verbs of the search loop
that it does in its own way. Shapes are found by scanning, so a new one is two new files.
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
    """Where the loop stops, as totals since the start; the first limit to be reached ends it."""

    simulations: int
    calls: int  # forward-model calls
    work: int  # simulations that were really made (SHOT counts some without making them)


class Shape(ColumnOwner):
    """The base of all shapes, which does what a tree does."""

    example: ClassVar[tuple[str, str] | None] = None  # a game and an agent whose search has this shape
    shares_nodes: ClassVar[bool] = False  # whether several edges may lead to one node
    replaceable_means: ClassVar[bool] = False  # whether a backup may replace the totals of nodes
    tree: Tree
    added: int  # nodes that one simulation may add

    def __init__(self, game: Game, agent: Agent, choosers: Selectors, *, traced: bool) -> None:
        del agent, choosers, traced
        self.game = game
        self.added = game.max_children

    @classmethod
    def title(cls) -> str:
        """Its name in sentences: that of the class, in words."""
        return re.sub(r"(?<!^)(?=[A-Z])", " ", cls.__name__.removesuffix("Shape")).lower()

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        """Whether a search of that game by that agent has this shape; at most one shape but the tree may fit."""
        raise NotImplementedError

    @classmethod
    def check_agent(cls, agent: Agent) -> None:
        """Reject an agent that asks for this shape and for what it excludes, whatever the game is."""

    @classmethod
    def check_game(cls, agent: Agent, game: Game) -> None:
        """Reject what the shape excludes; called where it fits."""

    def make_tree(self, rows: int) -> None:
        """Make the arrays of the tree, with so many columns in all."""
        self.tree = Tree(rows, 2 * self.added)

    # The loop.

    def compiled(self) -> Any:
        """The shape as the compiled loop takes it: a NamedTuple of integers."""
        raise NotImplementedError

    def load(self, table: GameTable, plan: Plan, memory: Memory) -> None:
        """Load or compile the loop."""
        self.run(table, plan, memory, Limits(0, 0, 0))

    def expand_root(self, table: GameTable, plan: Plan, memory: Memory) -> int:
        """Give the root the children of its position; how many."""
        shape = self.compiled()
        return int(compiled_expand_root(shape)(shape, table, plan, memory))

    def run(self, table: GameTable, plan: Plan, memory: Memory, limits: Limits) -> int:
        """Simulate until a limit is reached; the status of the loop."""
        shape = self.compiled()
        simulations = min(limits.simulations, limits.work)
        return int(compiled_search(shape)(shape, table, plan, memory, simulations, limits.calls))

    # Its part in spending a budget.

    @property
    def paced(self) -> bool:
        """Whether chunks are limited by calls; else the loop looks at the time by itself."""
        return True

    def begin(self, budget: Budget, memory: Memory) -> None:
        """Prepare to spend a budget."""

    def leave(self, memory: Memory) -> None:
        """Leave nothing half done: the budget is spent, or something went wrong."""

    def work(self, counters: npt.NDArray[Any]) -> int:
        """Simulations that were really made so far."""
        return int(counters["simulations"][0])

    def end(self, status: int, spent: int, already: int, simulations: int) -> str:
        """What ended the search, if the loop did; ``spent`` simulations by now, ``already`` at first."""
        del already
        if status in (ENOUGH, PROVEN):
            return "enough" if status == ENOUGH else "proven"
        return "simulations" if spent >= simulations else ""

    def late(self, left: float, pace: ChunkSizer, memory: Memory) -> bool:
        """Whether what comes next would not end in time."""
        del memory
        return pace.too_late(left)

    def grow_buffers(self) -> bool:
        """Take more room for what has no limit of memory; whether that was lacking."""
        return False

    # The root.

    def settle(self, table: GameTable, plan: Plan, memory: Memory) -> bool:
        """Adapt the tree to a root that was a child before; whether there is room for that."""
        del table, plan, memory
        return True

    def below(self, state: State, code: Code) -> int | None:
        """The node that a move at the root, in that position, leads to; None where the tree has none."""
        del state
        return self.tree.child(ROOT, code)

    def write_episode(self, episode: npt.NDArray[Any], state: State, player: int | None) -> None:
        """Write what kernels must know of the shape, of the root's position and of the player who searches."""

    def moves_at_root(self, player: int) -> slice:
        """Where the moves of the player to move stand, or those of ``player`` where all move at once."""
        del player
        return self.tree.children(ROOT)

    def draws_after(self, player: int) -> int:
        """How many others draw before a player where all move at once."""
        del player
        return 0

    def halved(self) -> HalvingProgress:
        """How far the halving of the root has come, where every node is halved."""
        return HalvingProgress(0, 0, 0)

    # How it is shown.

    @property
    def turns(self) -> int:
        """How many plies make one move of every player."""
        return self.game.players

    @property
    def shared(self) -> int:
        """Edges that were led to a position known before."""
        return 0

    def shows_below(self, state: State) -> bool:
        """Whether the children of a node can be shown, whose position is ``state``."""
        del state
        return True

    def shown_line(self, state: State, line: list[Code]) -> list[Code]:
        """A line of moves, as far as it can be shown."""
        del state
        return line
