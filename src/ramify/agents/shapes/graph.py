"""The graph: positions that several paths lead to are shared (transpositions)."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ramify.agents.shapes.shape import Shape
from ramify.agents.shapes.tree_arrays import FIRST_CAPACITY, Tree
from ramify.contract.game import Game, State
from ramify.core.kernels.pointers import address
from ramify.core.search.plan import Memory
from ramify.errors import RamifyError
from ramify.strategies.policy.selectors import Selectors

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.core.shapes.graph import Graph

NONE, UCT1, UCT2 = VARIANTS = ("none", "uct1", "uct2")  # of Childs, Brodeur and Kocsis (2008)
INITIAL_CAPACITY = 1 << 12  # entries; a power of two


class GraphShape(Shape):
    """A tree with a table of its positions; edges to one position share what is known below."""

    example = ("tictactoe", "mcts(transpositions=uct2)")
    shares_nodes = True

    def __init__(self, game: Game, agent: Agent, choosers: Selectors, *, traced: bool) -> None:
        super().__init__(game, agent, choosers, traced=traced)
        from ramify.core.shapes.transpositions import TRANSPOSITION_TABLE  # noqa: PLC0415

        self._key = game.kernel("key")  # owns the machine code behind the address
        if self._key is None and not game.state_is_bytes:
            raise RamifyError(
                f"{game.name} is not compiled and has no key, so nobody can tell whether two of its positions are the"
                " same; leave transpositions out"
            )
        means = agent.transpositions == UCT2
        self.added = game.max_children + 1
        self.rows = int(means)  # the column of lists
        self.block = np.zeros(1, TRANSPOSITION_TABLE)
        self.block["key"] = self._key.address if self._key else 0
        self.block["words"] = -(-game.state_bytes // 8)
        self.block["uct2"], self.block["by_ply"] = means, agent.needs_exact_length
        self._entries = self._room(INITIAL_CAPACITY)

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        """Where the agent shares positions."""
        del game
        return agent.transpositions != NONE

    @classmethod
    def check_agent(cls, agent: Agent) -> None:
        """Reject whatever moves children about that other nodes may share."""
        if agent.transpositions == NONE:
            return
        for found, what in (
            (agent.allocation.tree_halving(), f"allocation={agent.allocation.title()}"),
            (agent.prove, "prove=true"),
        ):
            if found:
                raise RamifyError(
                    f"transpositions={agent.transpositions} and {what} exclude each other: that one reorders the moves"
                    " of every node, which others may share; leave one of them out"
                )

    def make_tree(self, rows: int) -> None:
        """A tree whose edges know of one another."""
        self.tree = GraphArrays(weakref.proxy(self), rows, 2 * self.game.max_children)

    def compiled(self) -> Graph:
        """Where the table of positions is."""
        from ramify.core.shapes.graph import Graph  # noqa: PLC0415

        return Graph(address(self.block))

    def write_episode(self, episode: npt.NDArray[Any], state: State, player: int | None) -> None:
        """The record before the children of a node is their position."""
        del state, player
        episode["transpositions"] = 1

    @property
    def shared(self) -> int:
        """Edges that were led to a position known before."""
        return int(self.block["hits"][0])

    def set_addresses(self, memory: Memory, columns: int) -> None:
        """The column of lists."""
        del memory
        self.block["edges"] = columns

    def clear(self, *, moved: bool = False) -> None:
        """Forget every position."""
        del moved
        self._entries[:] = 0
        self.block["used"] = self.block["hits"] = self.block["ply"] = 0

    def copy(self, *arguments: int) -> tuple[int, int]:
        """As ``copy_subtree``, of a graph."""
        from ramify.core.shapes.transpositions import ENTRY, copy_graph  # noqa: PLC0415

        entries = np.zeros(len(self._entries), ENTRY)
        kept: tuple[int, int] = copy_graph(*arguments, address(self.block), address(entries))
        self._entries = entries
        self.block["entries"] = address(entries)
        self.block["ply"] += 1
        return kept

    @property
    def nbytes(self) -> int:
        """Of the table."""
        return self._entries.nbytes

    @property
    def full(self) -> bool:
        """Whether half of the table is in use: a fuller one is slower to look up."""
        return 2 * int(self.block["used"][0]) >= len(self._entries)

    def grow(self) -> None:
        """Make the table twice as large."""
        from ramify.core.shapes.transpositions import copy_entries  # noqa: PLC0415

        before = self._entries
        self._entries = self._room(2 * len(before))
        copy_entries(address(before), len(before), address(self._entries), len(self._entries))

    def _room(self, entries: int) -> npt.NDArray[Any]:
        from ramify.core.shapes.transpositions import ENTRY  # noqa: PLC0415

        made = np.zeros(entries, ENTRY)
        self.block["entries"], self.block["capacity"] = address(made), entries
        return made


class GraphArrays(Tree):
    """The arrays of a tree whose edges may share positions."""

    def __init__(self, shape: GraphShape, rows: int, least: int, first: int = FIRST_CAPACITY) -> None:
        super().__init__(rows, least, first)
        self.shape = shape

    def _copy(self, *arguments: int) -> tuple[int, int]:
        return self.shape.copy(*arguments)

    def reorder_children(self, order: npt.NDArray[np.int64], live: int) -> None:
        """Edges to a position know of one another by their places, which change."""
        if not self.shape.rows:
            super().reorder_children(order, live)
            return
        from ramify.core.shapes.transpositions import link_children, unlink_children  # noqa: PLC0415

        children = self.children()
        where = (address(self.nodes), address(self.shape.block), children.start, children.stop - children.start)
        unlink_children(*where)
        super().reorder_children(order, live)
        link_children(*where)
