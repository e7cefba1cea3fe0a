"""Transpositions: the memory of ``core.shapes.transpositions`` for one search tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ramify.agents.hooks.hook import Observer
from ramify.contract.game import Game
from ramify.core.kernels.pointers import address
from ramify.core.search.plan import Memory
from ramify.core.shapes.transpositions import ENTRY, POSITIONS, copy_entries, copy_graph
from ramify.errors import RamifyError

if TYPE_CHECKING:
    from ramify.agents.agent import Agent

NONE, UCT1, UCT2 = VARIANTS = ("none", "uct1", "uct2")  # of Childs, Brodeur and Kocsis (2008)
FIRST_ROOM = 1 << 12  # entries; a power of two


class Positions(Observer):
    """The table of positions. It is told of nothing: the loop looks it up itself."""

    def __init__(self, game: Game, *, means: bool, timed: bool) -> None:
        self._key = game.kernel("key")  # owns the machine code behind the address
        if self._key is None and not game.plain_bytes:
            raise RamifyError(
                f"{game.name} is not compiled and has no key, so nobody can tell whether two of its positions are the"
                " same; leave transpositions out"
            )
        self.means = means
        self.rows = int(means)
        self.block = np.zeros(1, POSITIONS)
        self.block["key"] = self._key.address if self._key else 0
        self.block["words"] = -(-game.state_bytes // 8)
        self.block["means"], self.block["timed"] = means, timed
        self._entries = self._room(FIRST_ROOM)

    def _room(self, entries: int) -> npt.NDArray[Any]:
        made = np.zeros(entries, ENTRY)
        self.block["entries"], self.block["room"] = address(made), entries
        return made

    @property
    def shared(self) -> int:
        """Edges that were led to a position known before."""
        return int(self.block["shared"][0])

    def place(self, memory: Memory, columns: int) -> None:
        """The column of lists."""
        del memory
        self.block["edges"] = columns

    def forget(self, *, moved: bool = False) -> None:
        """Know no position."""
        del moved
        self._entries[:] = 0
        self.block["used"] = self.block["shared"] = self.block["ply"] = 0

    def copy(self, *arguments: int) -> tuple[int, int]:
        """As ``copy_subtree``, of a graph."""
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
        """Make it twice as large."""
        before = self._entries
        self._entries = self._room(2 * len(before))
        copy_entries(address(before), len(before), address(self._entries), len(self._entries))


def positions_for(game: Game, agent: Agent) -> Positions | None:
    """The table of an agent's search; None without transpositions."""
    return (
        None if agent.transpositions == NONE else Positions(game, means=agent.transpositions == UCT2, timed=agent.timed)
    )
