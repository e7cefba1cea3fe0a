"""The memory of ``core.engine.amaf`` for one search tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Game, State
from ramify.core.engine import amaf
from ramify.core.engine.amaf_record import AMAF, CLASSES, HEAD, MOST_TRACED, ROOM
from ramify.core.engine.search import MAX_DEPTH, GameTable, Memory
from ramify.core.kernels.compiling import Kernel
from ramify.errors import RamifyError
from ramify.strategies.playout import Heuristic, Uniform
from ramify.strategies.policy.choosers import CLASS_OF, COUNTS, TABLE_OF, TOTALS, Bound
from ramify.strategies.updates import KINDS, FalseUpdates, TrueUpdates

FIRST_TABLES = 64
LARGEST_TABLE = 1 << 22  # bytes
ALL_TABLES = 1 << 28  # bytes of all of them, if these are more than the first
MOST_CLASSES = 1 << 20

Floats = npt.NDArray[np.float64]


class AllMoves:
    """Who made which moves, in buffers; the kernels that credit them, bound to one game."""

    def __init__(
        self,
        game: Game,
        table: GameTable,
        selection: Bound,
        playout: Uniform | Heuristic,
        updates: TrueUpdates | FalseUpdates,
    ) -> None:
        self.game = game
        self.updates = updates
        self.selection = selection
        self.block = np.zeros(1, AMAF)
        classes = room_for(game, tables=selection.tables)
        owners = None if updates.weighted else game.owners_kernel()
        self._kept: list[Any] = [owners, game.class_kernel()]  # they own the machine code behind the addresses
        self._owned = np.full(classes, -1, np.int8)
        self._trace = np.zeros(0 if owners else HEAD + MOST_TRACED, np.int64)
        entries = game.players * classes
        self._shares = np.zeros(entries if owners else 0)
        self._latest = np.zeros(0 if owners else entries, np.int64)
        self._seen = np.zeros(0 if owners else min(entries, MOST_TRACED + MAX_DEPTH), np.int64)
        self._values = np.zeros(2 * game.players)
        self._width = 2 * entries + 1
        self.tables = np.zeros((FIRST_TABLES if selection.tables else 0, self._width))
        if owners is None:
            self._trace[CLASSES], self._trace[ROOM] = classes, MOST_TRACED
        numbers = {
            "rules": table.rules,
            "owners": owners.address if owners else 0,
            "classify": self._kept[1].address if self._kept[1] else 0,
            "players": game.players,
            "classes": classes,
            "columns": int(any(p.needs_amaf and not p.from_ancestors for p in (selection.root, selection.below))),
            "ref": selection.ref,
            "most": max(FIRST_TABLES, ALL_TABLES // (8 * self._width)),
            "weighted": int(updates.weighted),
            "owned": address(self._owned),
            "shares": address(self._shares),
            "tape": address(self._trace),
            "latest": address(self._latest),
            "seen": address(self._seen),
            "values": address(self._values),
            "target": -1,
        }
        for name, value in numbers.items():
            self.block[name] = value
        if isinstance(updates, FalseUpdates):
            self.block["errors"], self.block["mu"] = KINDS[updates.kind], updates.mu
            self.block["shared"] = int(updates.shared)
        self.playout: Kernel = playout.kernel(game, traced=owners is None)

    def plan(self) -> dict[str, int]:
        """The fields of the plan that concern AMAF."""
        classify, credit, inherit = (kernel.address for kernel in amaf.kernels())
        root, below = self.selection.root, self.selection.below
        return {
            "amaf": address(self.block),
            "classify": classify,
            "credit": credit,
            "inherit_root": inherit if root.from_ancestors else 0,
            "inherit": inherit if below.from_ancestors else 0,
            "trace": 0 if self.block["owners"][0] else address(self._trace),
        }

    def place(self, memory: Memory) -> None:
        """Say where the search keeps its statistics; to be said again whenever these move."""
        for name in ("state", "nodes", "path", "moves", "scores", "rng"):
            self.block[name] = getattr(memory, name)
        columns = {"class_of": CLASS_OF, "counts": COUNTS, "totals": TOTALS, "table_of": TABLE_OF}
        for name, which in columns.items():
            self.block[name] = self.selection.column(memory, which)
        self.block["tables"] = address(self.tables) if len(self.tables) else 0
        self.block["room"] = len(self.tables)

    def forget(self) -> None:
        """Forget everything."""
        self._latest[:] = 0
        self.block["began"], self.block["used"], self.block["strange"], self.block["source"] = 1, 0, 0, 0

    def aim(self, state: State) -> None:
        """Find the target of false updates among the moves of a position."""
        if not isinstance(self.updates, FalseUpdates) or not self.updates.target:
            return
        codes = [move.code for move in state.moves() if move.name == self.updates.target]
        if not codes:
            raise RamifyError(f"there is no move '{self.updates.target}' here for false updates to aim at")
        self.block["target"] = self.class_of(state, codes[0])

    def class_of(self, state: State, code: int) -> int:
        """The class of a move."""
        kernel = self.game.class_kernel()
        if kernel is None:
            return code
        moves, out = np.array([code]), np.zeros(1, np.int64)
        data = np.zeros(self.game.state_bytes, np.uint8)
        self.game.put(state.data, address(data))
        kernel(int(self.block["rules"][0]), address(data), address(moves), 1, address(out))
        return int(out[0])

    def sums(self, table: int, player: int, classes: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
        """S and R of some classes of moves of a player, in the table of that number."""
        if table == 0:
            return np.zeros(len(classes)), np.zeros(len(classes))
        pairs = self.tables[table - 1][:-1].reshape(self.game.players, -1, 2)[player, classes]
        return pairs[:, 0], pairs[:, 1]

    def keep(self, numbers: npt.NDArray[np.int64]) -> None:
        """Keep the tables of these nodes only, and number them anew; the first node is the root."""
        having = np.flatnonzero(numbers)
        kept = self.tables[numbers[having] - 1]
        self.tables[: len(kept)] = kept
        numbers[having] = np.arange(1, len(kept) + 1)
        self.block["used"], self.block["source"] = len(kept), numbers[0]

    @property
    def full(self) -> bool:
        """Whether the next table finds no room, and there may be more."""
        return 0 < len(self.tables) == int(self.block["used"][0]) < int(self.block["most"][0])

    def grow(self) -> None:
        """Make room for twice as many tables, if there may be so many."""
        more = min(len(self.tables), int(self.block["most"][0]) - len(self.tables))
        self.tables = np.concatenate([self.tables, np.zeros((more, self._width))])

    def check(self) -> None:
        """Say so where a game has a move class that is too large."""
        strange = int(self.block["strange"][0]) - 1
        if strange >= 0:
            raise RamifyError(
                f"{self.game.name} has a move {strange} whose class is not below {self.game.move_classes()};"
                " a game says by MOVE_CLASSES how many there are"
            )


def room_for(game: Game, *, tables: bool) -> int:
    """The number of a game's move classes, if there can be room for them; ``tables``: in tables of every node."""
    classes = game.move_classes()
    if classes > MOST_CLASSES:
        raise RamifyError(
            f"{game.name} says that it has {classes} move classes; statistics are kept for {MOST_CLASSES} at most:"
            " let it number them more densely (move_class)"
        )
    if tables and 16 * game.players * classes > LARGEST_TABLE:
        raise RamifyError(
            f"{game.name} has {classes} move classes, too many for a table of them in every node, as grave keeps;"
            " use rave, or let the game say fewer (MOVE_CLASSES)"
        )
    return classes


def address(array: npt.NDArray[Any]) -> int:
    """Where an array's first byte is."""
    return int(array.ctypes.data)
