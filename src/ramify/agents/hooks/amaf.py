"""All moves as first: the memory of ``core.hooks.amaf`` for one search tree."""

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

FIRST_TABLES = 64
MAX_TABLE_BYTES = 1 << 22  # bytes
MAX_TOTAL_BYTES = 1 << 28  # bytes of all of them, if these are more than the first

CLASS_OF, COUNTS, TOTALS, TABLE_OF = range(4)  # its columns

Floats = npt.NDArray[np.float64]


class AmafHook(Hook):
    """Who made which moves, in buffers; the kernels that credit them, bound to one game."""

    rows = 4
    first_of_sums = COUNTS  # the column of counts; that of totals follows

    def __init__(self, game: Game, choosers: Selectors, updates: Updates) -> None:
        self.on_simulation, self.on_expand, self.prepare = credit_kernel(), classify_kernel(), inherit_kernel()
        self.game = game
        self.updates = updates
        self.inherits = choosers.root.uses_ancestor_amaf  # whether the root's policy reads tables
        self.owners = None if updates.weighted else game.kernel("owners")
        self._classify = game.kernel("move_class")
        self.traced = self.owners is None  # whether playouts must write down their moves
        classes = room_for(game, tables=choosers.tables)
        self._width = 2 * game.players * classes + 1
        self.tables = np.zeros((FIRST_TABLES if choosers.tables else 0, self._width))
        self.block = np.zeros(1, AMAF)
        numbers = {
            "owners": self.owners.address if self.owners else 0,
            "classify": self._classify.address if self._classify else 0,
            "players": game.players,
            "classes": classes,
            "columns": int(any(p.needs_amaf and not p.uses_ancestor_amaf for p in (choosers.root, choosers.inner))),
            "ref": choosers.ref,
            "max_tables": max(FIRST_TABLES, MAX_TOTAL_BYTES // (8 * self._width)),
            "target": -1,
        }
        for name, value in numbers.items():
            self.block[name] = value
        self._make_buffers(game.players, classes)

    def _make_buffers(self, players: int, classes: int) -> None:
        """Who made which moves, read off the final board or off the trace of a playout."""
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
        """How many classes of moves there are."""
        return int(self.block["classes"][0])

    def set_addresses(self, memory: Memory, columns: int) -> None:
        """Its columns, and the tables."""
        for name, which in {"class_of": CLASS_OF, "counts": COUNTS, "totals": TOTALS, "table_of": TABLE_OF}.items():
            self.block[name] = columns + 8 * memory.stride * which
        self.block["tables"] = address(self.tables) if len(self.tables) else 0
        self.block["capacity"] = len(self.tables)

    def clear(self, *, moved: bool = False) -> None:
        """Forget everything."""
        del moved
        self._latest[:] = 0
        self.block["began"], self.block["used"], self.block["out_of_range"], self.block["source"] = 1, 0, 0, 0

    def on_new_root(self, state: State) -> None:
        """Find the target of false updates among the moves of a position."""
        if not self.updates.target:
            return
        codes = [move.code for move in state.moves() if move.name == self.updates.target]
        if not codes:
            raise RamifyError(f"there is no move '{self.updates.target}' here for false updates to aim at")
        self.block["target"] = self.class_of(state, codes[0])

    def class_of(self, state: State, code: int) -> int:
        """The class of a move."""
        if self._classify is None:
            return code
        moves, out = np.array([code]), np.zeros(1, np.int64)
        data = np.zeros(self.game.state_bytes, np.uint8)
        self.game.to_address(state.data, address(data))
        self._classify(self.game.table().rules, address(data), address(moves), 1, address(out))
        return int(out[0])

    def at_root(self, columns: Floats, children: slice, mover: int) -> tuple[Floats, Floats]:
        """S and R of the root's children, as the policy there would see them next; ``columns`` are its own."""
        if not self.inherits:
            return columns[COUNTS, children], columns[TOTALS, children]
        whole = columns.view(np.int64)
        table = int(whole[TABLE_OF, 0])
        classes = whole[CLASS_OF, children]
        if table == 0:
            return np.zeros(len(classes)), np.zeros(len(classes))
        pairs = self.tables[table - 1][:-1].reshape(self.game.players, -1, 2)[mover, classes]
        return pairs[:, 0], pairs[:, 1]

    def keep_subtree(self, columns: Floats) -> None:
        """Keep the tables of these nodes only, and number them anew; the first node is the root."""
        numbers = columns[TABLE_OF].view(np.int64)
        having = np.flatnonzero(numbers)
        kept = self.tables[numbers[having] - 1]
        self.tables[: len(kept)] = kept
        numbers[having] = np.arange(1, len(kept) + 1)
        self.block["used"], self.block["source"] = len(kept), numbers[0]

    @property
    def nbytes(self) -> int:
        """Of the tables."""
        return self.tables.nbytes

    @property
    def full(self) -> bool:
        """Whether the next table finds no room, and there may be more."""
        return 0 < len(self.tables) == int(self.block["used"][0]) < int(self.block["max_tables"][0])

    def grow(self) -> None:
        """Make room for twice as many tables, if there may be so many."""
        more = min(len(self.tables), int(self.block["max_tables"][0]) - len(self.tables))
        self.tables = np.concatenate([self.tables, np.zeros((more, self._width))])

    def check(self) -> None:
        """Say so where a game has a move class that is too large."""
        out_of_range = int(self.block["out_of_range"][0]) - 1
        if out_of_range >= 0:
            raise class_out_of_range(self.game, out_of_range)


def room_for(game: Game, *, tables: bool) -> int:
    """The number of a game's move classes, if there can be room for them; ``tables``: in tables of every node."""
    classes = table_classes(game)
    if tables and 16 * game.players * classes > MAX_TABLE_BYTES:
        raise RamifyError(
            f"{game.name} has {classes} move classes, too many for a table of them in every node, as grave keeps;"
            " use rave, or let the game say fewer (MOVE_CLASSES)"
        )
    return classes
