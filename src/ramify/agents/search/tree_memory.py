"""Everything that one search writes to: the tree, the columns beside it, and the buffers of a simulation."""

from __future__ import annotations

from threading import RLock

import numpy as np
import numpy.typing as npt

from ramify.agents.budgets.budget import NO_LIMIT, Budget
from ramify.agents.budgets.memory import MemoryAllowance
from ramify.agents.search.build import SearchParts
from ramify.agents.shapes.column_owner import ColumnOwner
from ramify.agents.shapes.tree_arrays import Tree, aligned
from ramify.contract.game import MOVE_BUFFER_SLACK, State
from ramify.core.kernels.pointers import address
from ramify.core.search.episode import EPISODE, MAX_DEPTH, MAX_TRACE
from ramify.core.search.plan import COUNTERS, Memory
from ramify.core.search.tree import PADDING_NODES, ROOT
from ramify.errors import RamifyError
from ramify.strategies.policy.block_layout import SCRATCH

Floats = npt.NDArray[np.float64]


class TreeMemory:
    """The memory of one tree, as arrays and as addresses (``addresses``), which change when arrays grow."""

    def __init__(self, parts: SearchParts, rng: npt.NDArray[np.uint64], allowance: MemoryAllowance) -> None:
        game, choosers = parts.game, parts.choosers
        self.parts, self.rng, self.allowance = parts, rng, allowance
        self.growing = RLock()  # held while the arrays of nodes may move in memory
        self.counters = np.zeros(1, COUNTERS)
        self.states = np.zeros((2, aligned(game.state_bytes)), np.uint8)  # at the root, and where a simulation is
        self.episode = np.zeros(1, EPISODE)
        width = game.max_children
        self._buffers = {
            "path": np.empty(MAX_DEPTH + 1, np.int64),
            "moves": np.empty(width + MOVE_BUFFER_SLACK, np.int64),
            "probabilities": np.empty(width + MOVE_BUFFER_SLACK),
            "scores": np.zeros(game.players),
            "scratch": np.empty(SCRATCH * width),
        }
        self._trace = np.empty(MAX_TRACE if parts.traced else 0, np.int64)
        self._first_row = choosers.squares + choosers.rows  # of what the shape and the hooks keep
        parts.shape.make_tree(self._first_row + sum(one.rows for one in parts.column_owners))
        self._write_episode()
        self.addresses = self._addresses()

    @property
    def tree(self) -> Tree:
        """The arrays of the tree."""
        return self.parts.shape.tree

    def _write_episode(self) -> None:
        """Write what stays the same as long as the search does."""
        parts = self.parts
        self.episode["rules"], self.episode["trace"] = parts.table.rules, address(self._trace)
        self.episode["limit"] = parts.agent.playout.limit
        self.episode["classes"] = parts.amaf.classes if parts.amaf else 0

    def _addresses(self) -> Memory:
        """Where everything is now; whoever must know is told."""
        parts, tree = self.parts, self.tree
        stride, columns = len(tree.nodes), address(tree.columns)
        memory = Memory(
            nodes=address(tree.nodes),
            capacity=stride - PADDING_NODES,
            columns=columns,
            rows=tree.rows,
            stride=stride,
            squares=columns if parts.choosers.squares else 0,
            counters=address(self.counters),
            rng=address(self.rng),
            root=address(self.states),
            state=address(self.states[1:]),
            episode=address(self.episode),
            **{name: address(buffer) for name, buffer in self._buffers.items()},
        )
        for name in ("nodes", "state", "moves", "rng", "path", "scores"):
            self.episode[name] = getattr(memory, name)
        row, sums = self._first_row, 0
        for one in parts.column_owners:
            one.set_addresses(memory, columns + 8 * stride * row)
            if one is parts.amaf:
                sums = columns + 8 * stride * (row + parts.amaf.first_of_sums)
            row += one.rows
        raw = address(parts.raw.kept) if parts.raw else 0
        parts.choosers.place(memory, columns + 8 * stride * parts.choosers.squares, sums, raw)
        return memory

    def columns_of(self, owner: ColumnOwner) -> Floats:
        """The columns of the shape or of a hook; those of squared rewards and of the policies come first."""
        row = self._first_row
        for one in self.parts.column_owners:
            if one is owner:
                break
            row += one.rows
        return self.tree.columns[row : row + owner.rows]

    # The root.

    def put_root(self, state: State, player: int | None) -> None:
        """Make ``state`` the root's position, with ``player`` who searches, if given; the tree stays as it is."""
        for one in self.parts.column_owners:
            one.on_new_root(state)
        self.counters[0] = 0
        self.parts.shape.write_episode(self.episode, state, player)
        self.parts.game.to_address(state.data, address(self.states))
        self.parts.choosers.reset()

    def clear(self, *, moved: bool = False) -> None:
        """Forget the tree; ``moved``: the game went on to a position that it did not have."""
        self.counters[0] = 0
        self.counters["nodes"] = 1
        self.tree.clear()
        for one in self.parts.column_owners:
            one.clear(moved=moved)

    def keep(self, child: int, used: int) -> None:
        """Keep the subtree of a child, which becomes the root; ``used`` nodes were in use."""
        size, depth = self.tree.keep(child, used)
        for one in self.parts.column_owners:
            one.keep_subtree(self.columns_of(one)[:, :size])
        self.addresses = self._addresses()
        self.counters["nodes"], self.counters["max_depth"] = size, depth

    # Its size.

    def most_nodes(self, budget: Budget) -> int:
        """Nodes that the tree may have."""
        limit = budget.memory or self.allowance.per_tree
        return NO_LIMIT if limit is None else (limit - self.nbytes_beside()) // self.tree.bytes_per_node - PADDING_NODES

    def within(self, budget: Budget) -> Memory:
        """The addresses, with no more capacity than a budget of memory allows."""
        return self.addresses._replace(capacity=min(self.addresses.capacity, self.most_nodes(budget)))

    def nbytes_beside(self) -> int:
        """Bytes that the shape and the hooks have beside the tree and its columns."""
        return sum(one.nbytes for one in self.parts.column_owners)

    def check_smallest(self, budget: Budget) -> None:
        """Reject a budget of memory that not even the first simulation fits into."""
        added = self.parts.shape.added
        if int(self.tree.nodes["first"][ROOT]) < 0 and self.most_nodes(budget) < 1 + added:
            least = (1 + added + PADDING_NODES) * self.tree.bytes_per_node + self.nbytes_beside()
            name = self.parts.game.name
            raise RamifyError(f"{budget.memory} bytes of memory are too few: the smallest tree of {name} takes {least}")

    def grow(self, budget: Budget) -> bool:
        """Make room for more nodes, or for what stands beside them; whether there may be more of it."""
        if self.parts.shape.grow_buffers():
            return True
        limit = budget.memory or self.allowance.measure()
        used = int(self.counters["nodes"][0])
        full = [one for one in self.parts.column_owners if one.full]
        if full:
            after = (used + PADDING_NODES) * self.tree.bytes_per_node + sum(one.nbytes for one in full)
            if after + self.nbytes_beside() > limit:
                return False
            with self.growing:
                for one in full:
                    one.grow()
                self.addresses = self._addresses()
            return True
        least = used + self.parts.shape.added + PADDING_NODES
        half = self.allowance.measure() // self.tree.bytes_per_node
        wanted = min(max(2 * len(self.tree.nodes), half), self.most_nodes(budget) + PADDING_NODES)
        if wanted < least:
            return False
        with self.growing:
            self.tree.grow(used, wanted)
            self.addresses = self._addresses()
        return len(self.tree.nodes) >= least
