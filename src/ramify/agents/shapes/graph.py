"""Graph shape: transpositions share one node."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ramify.agents.shapes.shape import Shape
from ramify.agents.shapes.tree_arrays import INITIAL_NODES, Tree
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
    """A tree with a transposition table; edges to the same position share its children."""

    example = ("tictactoe", "mcts(transpositions=uct2)")
    shares_nodes = True

    def __init__(self, game: Game, agent: Agent, selectors: Selectors, *, traced: bool) -> None:
        super().__init__(game, agent, selectors, traced=traced)
        from ramify.core.shapes.transpositions import TRANSPOSITION_TABLE  # noqa: PLC0415

        self._key = game.kernel("key")  # owns the machine code behind the address
        if self._key is None and not game.state_is_bytes:
            raise RamifyError(
                f"transpositions need a compiled game or a key() method, and {game.name} has neither:"
                " remove transpositions"
            )
        uct2 = agent.transpositions == UCT2
        self.max_new_nodes = game.max_children + 1
        self.column_count = int(uct2)  # lists of edges to the same position
        self.block = np.zeros(1, TRANSPOSITION_TABLE)
        self.block["key"] = self._key.address if self._key else 0
        self.block["words"] = -(-game.state_bytes // 8)
        self.block["uct2"], self.block["by_ply"] = uct2, agent.needs_exact_length
        self._entries = self._allocate(INITIAL_CAPACITY)

    @classmethod
    def fits(cls, agent: Agent, game: Game) -> bool:
        del game
        return agent.transpositions != NONE

    @classmethod
    def check_agent(cls, agent: Agent) -> None:
        """Raise for strategies that reorder children, because other edges may share them."""
        if agent.transpositions == NONE:
            return
        for found, what in (
            (agent.allocation.tree_halving(), f"allocation={agent.allocation.title()}"),
            (agent.prove, "prove=true"),
        ):
            if found:
                raise RamifyError(
                    f"transpositions={agent.transpositions} does not support {what}, which reorders children that"
                    " other edges may share: remove one of them"
                )

    def make_tree(self, columns: int) -> None:
        self.tree = GraphArrays(weakref.proxy(self), columns, 2 * self.game.max_children)

    def compiled(self) -> Graph:
        from ramify.core.shapes.graph import Graph  # noqa: PLC0415

        return Graph(address(self.block))

    def write_episode(self, episode: npt.NDArray[Any], state: State, player: int | None) -> None:
        """Mark the episode: the record before a node's children is their position."""
        del state, player
        episode["transpositions"] = 1

    @property
    def transposition_hits(self) -> int:
        """Number of edges led to a position that was already in the table."""
        return int(self.block["hits"][0])

    def set_addresses(self, memory: Memory, columns: int) -> None:
        del memory
        self.block["edges"] = columns

    def clear(self, *, moved: bool = False) -> None:
        del moved
        self._entries[:] = 0
        self.block["used"] = self.block["hits"] = self.block["ply"] = 0

    def copy(self, *arguments: int) -> tuple[int, int]:
        """Like ``copy_subtree``, for a graph."""
        from ramify.core.shapes.transpositions import ENTRY, copy_graph  # noqa: PLC0415

        entries = np.zeros(len(self._entries), ENTRY)
        kept: tuple[int, int] = copy_graph(*arguments, address(self.block), address(entries))
        self._entries = entries
        self.block["entries"] = address(entries)
        self.block["ply"] += 1
        return kept

    @property
    def nbytes(self) -> int:
        return self._entries.nbytes

    @property
    def full(self) -> bool:
        """Whether half of the table is used: lookups slow down beyond that."""
        return 2 * int(self.block["used"][0]) >= len(self._entries)

    def grow(self) -> None:
        from ramify.core.shapes.transpositions import copy_entries  # noqa: PLC0415

        before = self._entries
        self._entries = self._allocate(2 * len(before))
        copy_entries(address(before), len(before), address(self._entries), len(self._entries))

    def _allocate(self, entries: int) -> npt.NDArray[Any]:
        from ramify.core.shapes.transpositions import ENTRY  # noqa: PLC0415

        made = np.zeros(entries, ENTRY)
        self.block["entries"], self.block["capacity"] = address(made), entries
        return made


class GraphArrays(Tree):
    """Tree arrays whose edges may share positions."""

    def __init__(self, shape: GraphShape, columns: int, least: int, initial: int = INITIAL_NODES) -> None:
        super().__init__(columns, least, initial)
        self.shape = shape

    def _copy(self, *arguments: int) -> tuple[int, int]:
        return self.shape.copy(*arguments)

    def reorder_children(self, order: npt.NDArray[np.int64], live: int) -> None:
        """Reorder, and update the lists of edges, which store node numbers."""
        if not self.shape.column_count:
            super().reorder_children(order, live)
            return
        from ramify.core.shapes.transpositions import link_children, unlink_children  # noqa: PLC0415

        children = self.children()
        where = (address(self.nodes), address(self.shape.block), children.start, children.stop - children.start)
        unlink_children(*where)
        super().reorder_children(order, live)
        link_children(*where)
