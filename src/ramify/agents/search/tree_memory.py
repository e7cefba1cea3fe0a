"""The memory of one search: the tree, its columns, and the buffers of a simulation."""

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
    """The memory of one tree, as arrays and as ``addresses``, which change when arrays grow.

    Columns are ordered: squared rewards, policies, shape, hooks.
    """

    def __init__(self, parts: SearchParts, rng: npt.NDArray[np.uint64], allowance: MemoryAllowance) -> None:
        game, selectors = parts.game, parts.selectors
        self.parts, self.rng, self.allowance = parts, rng, allowance
        self.relocation_lock = RLock()  # held while the arrays of nodes may move in memory
        self.counters = np.zeros(1, COUNTERS)
        self.states = np.zeros((2, aligned(game.state_bytes)), np.uint8)  # of the root, and of the running simulation
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
        self._first_column = selectors.squares + selectors.rows  # of the shape and the hooks
        parts.shape.make_tree(self._first_column + sum(one.column_count for one in parts.column_owners))
        self._write_episode()
        self.addresses = self._addresses()

    @property
    def tree(self) -> Tree:
        return self.parts.shape.tree

    def _write_episode(self) -> None:
        """Write the fields of the episode that never change."""
        parts = self.parts
        self.episode["rules"], self.episode["trace"] = parts.table.rules, address(self._trace)
        self.episode["limit"] = parts.agent.playout.limit
        self.episode["classes"] = parts.amaf.classes if parts.amaf else 0

    def _addresses(self) -> Memory:
        """Return the current addresses, and pass them to the shape, the hooks and the policies."""
        parts, tree = self.parts, self.tree
        stride, columns = len(tree.nodes), address(tree.columns)
        memory = Memory(
            nodes=address(tree.nodes),
            capacity=stride - PADDING_NODES,
            columns=columns,
            rows=tree.column_count,
            stride=stride,
            squares=columns if parts.selectors.squares else 0,
            counters=address(self.counters),
            rng=address(self.rng),
            root=address(self.states),
            state=address(self.states[1:]),
            episode=address(self.episode),
            **{name: address(buffer) for name, buffer in self._buffers.items()},
        )
        for name in ("nodes", "state", "moves", "rng", "path", "scores"):
            self.episode[name] = getattr(memory, name)
        column, sums = self._first_column, 0
        for one in parts.column_owners:
            one.set_addresses(memory, columns + 8 * stride * column)
            if one is parts.amaf:
                sums = columns + 8 * stride * (column + parts.amaf.counts_column)
            column += one.column_count
        raw = address(parts.raw.scores) if parts.raw else 0
        parts.selectors.place(memory, columns + 8 * stride * parts.selectors.squares, sums, raw)
        return memory

    def columns_of(self, owner: ColumnOwner) -> Floats:
        """Return the columns of the shape or of a hook."""
        column = self._first_column
        for one in self.parts.column_owners:
            if one is owner:
                break
            column += one.column_count
        return self.tree.columns[column : column + owner.column_count]

    # The root.

    def set_root(self, state: State, player: int | None, *, same_game: bool) -> None:
        """Set the root's state and the searching player. Does not touch the tree."""
        for one in self.parts.column_owners:
            one.on_new_root(state)
        self.counters[0] = 0
        self.parts.shape.write_episode(self.episode, state, player)
        self.parts.game.to_address(state.data, address(self.states))
        self.parts.selectors.reset(same_game=same_game)

    def clear(self, *, moved: bool = False) -> None:
        """Clear the tree. ``moved``: the game has advanced to a position outside the tree."""
        self.counters[0] = 0
        self.counters["nodes"] = 1
        self.tree.clear()
        for one in self.parts.column_owners:
            one.clear(moved=moved)

    def keep_subtree(self, child: int, used: int) -> None:
        """Keep the subtree of ``child``, which becomes the root. ``used``: nodes in use before."""
        size, depth = self.tree.keep_subtree(child, used)
        for one in self.parts.column_owners:
            one.keep_subtree(self.columns_of(one)[:, :size])
        self.addresses = self._addresses()
        self.counters["nodes"], self.counters["max_depth"] = size, depth

    # Size.

    def max_nodes(self, budget: Budget) -> int:
        """Return the maximum number of nodes within the budget or the memory allowance."""
        limit = budget.memory or self.allowance.per_tree
        return NO_LIMIT if limit is None else (limit - self.extra_bytes()) // self.tree.bytes_per_node - PADDING_NODES

    def addresses_within(self, budget: Budget) -> Memory:
        """Return the addresses with the capacity limited to the memory budget."""
        return self.addresses._replace(capacity=min(self.addresses.capacity, self.max_nodes(budget)))

    def extra_bytes(self) -> int:
        """Return the bytes of the shape and the hooks besides the tree and its columns."""
        return sum(one.nbytes for one in self.parts.column_owners)

    def check_minimum(self, budget: Budget) -> None:
        """Raise if the first simulation does not fit into the memory budget."""
        added = self.parts.shape.max_new_nodes
        if int(self.tree.nodes["first"][ROOT]) < 0 and self.max_nodes(budget) < 1 + added:
            least = (1 + added + PADDING_NODES) * self.tree.bytes_per_node + self.extra_bytes()
            name = self.parts.game.name
            raise RamifyError(f"a memory budget of {budget.memory} bytes is too small: {name} needs at least {least}")

    def grow(self, budget: Budget) -> bool:
        """Grow whatever is full: the tree, or memory of the shape or a hook. Return False if the limit is reached."""
        if self.parts.shape.grow_buffers():
            return True
        limit = budget.memory or self.allowance.measure()
        used = int(self.counters["nodes"][0])
        full = [one for one in self.parts.column_owners if one.full]
        if full:
            after = (used + PADDING_NODES) * self.tree.bytes_per_node + sum(one.nbytes for one in full)
            if after + self.extra_bytes() > limit:
                return False
            with self.relocation_lock:
                for one in full:
                    one.grow()
                self.addresses = self._addresses()
            return True
        least = used + self.parts.shape.max_new_nodes + PADDING_NODES
        half = self.allowance.measure() // self.tree.bytes_per_node
        wanted = min(max(2 * len(self.tree.nodes), half), self.max_nodes(budget) + PADDING_NODES)
        if wanted < least:
            return False
        with self.relocation_lock:
            self.tree.grow(used, wanted)
            self.addresses = self._addresses()
        return len(self.tree.nodes) >= least
