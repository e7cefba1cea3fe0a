"""All moves as first (AMAF): memory and kernels of ``core.hooks.amaf`` for one tree."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.agents.hooks.hook import Hook
from ramify.contract.game import Game, State
from ramify.contract.move_classes import class_out_of_range, table_classes
from ramify.core.hooks.amaf import AMAF, classify_kernel, credit_kernel, inherit_kernel
from ramify.core.kernels.pointers import address
from ramify.core.search.episode import MAX_DEPTH, MAX_TRACE
from ramify.core.search.plan import Memory
from ramify.errors import RamifyError
from ramify.strategies.base import Updates
from ramify.strategies.policy.selectors import Selectors

INITIAL_TABLES = 64
MAX_TABLE_BYTES = 1 << 22
MAX_TOTAL_BYTES = 1 << 28  # of all tables; at least INITIAL_TABLES are allowed

CLASS_OF, COUNTS, TOTALS, TABLE_OF = range(4)  # the hook's columns

Floats = npt.NDArray[np.float64]


class AmafHook(Hook):
    """Credits all moves of a simulation to the nodes of its path."""

    column_count = 4
    counts_column = COUNTS  # the column of totals follows it

    def __init__(self, game: Game, selectors: Selectors, updates: Updates) -> None:
        self.on_simulation, self.on_expand, self.before_select = credit_kernel(), classify_kernel(), inherit_kernel()
        self.game = game
        self.updates = updates
        self.root_uses_tables = selectors.root.uses_ancestor_amaf
        self.owners = None if updates.weighted else game.kernel("owners")
        self._classify = game.kernel("move_class")
        self.traced = self.owners is None  # the final board does not show who made which moves
        classes = amaf_classes(game, tables=selectors.tables)
        self._width = 2 * game.players * classes + 1
        self.tables = np.zeros((INITIAL_TABLES if selectors.tables else 0, self._width))
        self.block = np.zeros(1, AMAF)
        numbers = {
            "owners": self.owners.address if self.owners else 0,
            "classify": self._classify.address if self._classify else 0,
            "players": game.players,
            "classes": classes,
            "columns": int(any(p.needs_amaf and not p.uses_ancestor_amaf for p in (selectors.root, selectors.inner))),
            "ref": selectors.ref,
            "max_tables": max(INITIAL_TABLES, MAX_TOTAL_BYTES // (8 * self._width)),
            "target": -1,
        }
        for name, value in numbers.items():
            self.block[name] = value
        self._make_buffers(game.players, classes)

    def _make_buffers(self, players: int, classes: int) -> None:
        """Allocate the buffers of the moves made, which are read from the final board or from the playout's trace."""
        entries = players * classes
        self._latest = np.zeros(entries if self.traced else 0, np.int64)
        self._buffers = {
            "owned": np.full(classes, -1, np.int8),
            "played": np.zeros(0 if self.traced else entries),
            "latest": self._latest,
            "seen": np.zeros(min(entries, MAX_TRACE + MAX_DEPTH) if self.traced else 0, np.int64),
            "values": np.zeros(2 * players),
        }
        for name, buffer in self._buffers.items():
            self.block[name] = address(buffer)
        self.updates.write_fields(self.block)

    @property
    def classes(self) -> int:
        """Number of move classes."""
        return int(self.block["classes"][0])

    def set_addresses(self, memory: Memory, columns: int) -> None:
        for name, which in {"class_of": CLASS_OF, "counts": COUNTS, "totals": TOTALS, "table_of": TABLE_OF}.items():
            self.block[name] = columns + 8 * memory.stride * which
        self.block["tables"] = address(self.tables) if len(self.tables) else 0
        self.block["capacity"] = len(self.tables)

    def clear(self, *, moved: bool = False) -> None:
        del moved
        self._latest[:] = 0
        self.block["began"], self.block["used"], self.block["out_of_range"], self.block["source"] = 1, 0, 0, 0

    def on_new_root(self, state: State) -> None:
        """Look up the target of false updates among the legal moves."""
        if not self.updates.target:
            return
        codes = [move.code for move in state.moves() if move.name == self.updates.target]
        if not codes:
            raise RamifyError(f"updates: target '{self.updates.target}' is not a legal move in this position")
        self.block["target"] = self.class_of(state, codes[0])

    def class_of(self, state: State, code: int) -> int:
        """Return the class of a move."""
        if self._classify is None:
            return code
        moves, out = np.array([code]), np.zeros(1, np.int64)
        data = np.zeros(self.game.state_bytes, np.uint8)
        self.game.to_address(state.data, address(data))
        self._classify(self.game.table().rules, address(data), address(moves), 1, address(out))
        return int(out[0])

    def at_root(self, columns: Floats, children: slice, mover: int) -> tuple[Floats, Floats]:
        """Return S and R of the root's children as the policy sees them next; ``columns``: the hook's columns."""
        if not self.root_uses_tables:
            return columns[COUNTS, children], columns[TOTALS, children]
        whole = columns.view(np.int64)
        table = int(whole[TABLE_OF, 0])
        classes = whole[CLASS_OF, children]
        if table == 0:
            return np.zeros(len(classes)), np.zeros(len(classes))
        pairs = self.tables[table - 1][:-1].reshape(self.game.players, -1, 2)[mover, classes]
        return pairs[:, 0], pairs[:, 1]

    def keep_subtree(self, columns: Floats) -> None:
        """Keep the tables of these nodes and renumber them; the first node is the root."""
        numbers = columns[TABLE_OF].view(np.int64)
        having = np.flatnonzero(numbers)
        kept = self.tables[numbers[having] - 1]
        self.tables[: len(kept)] = kept
        numbers[having] = np.arange(1, len(kept) + 1)
        self.block["used"], self.block["source"] = len(kept), numbers[0]

    @property
    def nbytes(self) -> int:
        return self.tables.nbytes

    @property
    def full(self) -> bool:
        """Whether all tables are in use and more are allowed."""
        return 0 < len(self.tables) == int(self.block["used"][0]) < int(self.block["max_tables"][0])

    def grow(self) -> None:
        """Double the number of tables, up to the maximum."""
        more = min(len(self.tables), int(self.block["max_tables"][0]) - len(self.tables))
        self.tables = np.concatenate([self.tables, np.zeros((more, self._width))])

    def check(self) -> None:
        """Raise if the class of a move is out of range."""
        move = int(self.block["out_of_range"][0]) - 1
        if move >= 0:
            raise class_out_of_range(self.game, move)


def amaf_classes(game: Game, *, tables: bool) -> int:
    """Return the number of move classes. Raise if ``tables`` of every node would be too large."""
    classes = table_classes(game)
    if tables and 16 * game.players * classes > MAX_TABLE_BYTES:
        raise RamifyError(
            f"{game.name} has {classes} move classes, too many for grave, which keeps a table of them per node:"
            " use rave, or reduce MOVE_CLASSES of the game"
        )
    return classes
