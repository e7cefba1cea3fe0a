"""The kernels of a game: what the engine calls, and how positions get into its memory and out of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import Any, Protocol, Self

from ramify.contract.author_errors import explaining_errors
from ramify.contract.interfaces.playout_spec import FASTEST, PlayoutSpec
from ramify.core.kernels.compiling import Kernel
from ramify.core.playouts.context import PlayoutPolicy, winning_move_kernel
from ramify.core.playouts.python_playout import playing_kernel
from ramify.core.search.plan import GameTable


class PositionBatch(Protocol):
    """Many positions of a game at once, for ``core.shapes.batch``, which says what its kernels do."""

    block: int  # what they are given
    chosen: int  # address: the move to be made in each lane

    @property
    def kernels(self) -> dict[str, Kernel]:
        """What works on them."""

    def begin(self, data: Any, lanes: int, rng: int) -> None:
        """Put so many lanes at a position, to which they return; moves are drawn from a generator's state there."""


class GameKernels(ABC):
    """What a search needs of a game beside its rules."""

    state_bytes: int
    state_is_bytes = True  # whether the engine's state is the position itself, byte by byte

    @abstractmethod
    def table(self) -> GameTable:
        """Addresses and sizes for the engine."""

    def kernel(self, part: str) -> Kernel | None:
        """The kernel of an optional part; None where the game has none."""
        del part
        return None

    @abstractmethod
    def playout(self, spec: PlayoutSpec = FASTEST) -> Kernel:
        """The kernel that plays to the end."""

    def policy_playout(self, chooser: PlayoutPolicy) -> Kernel:
        """The kernel of a playout that chooses among the listed moves (``core.playouts.context``)."""
        del chooser
        made: Kernel = playing_kernel()
        return made

    def winning_move_kernel(self) -> Kernel:
        """The kernel that looks for a move that wins at once (``core.playouts.context``)."""
        made: Kernel = winning_move_kernel()
        return made

    @property
    def has_batch(self) -> bool:
        """Whether it makes a step in many positions at once for little more than in one."""
        return False

    def batch(self, most: int) -> PositionBatch:
        """Room for so many positions at once, in games that have them."""
        raise NotImplementedError(f"no room for {most} positions at once")

    def warm(self) -> None:
        """Compile everything that can be compiled ahead."""
        return

    @abstractmethod
    def to_address(self, data: Any, target: int) -> None:
        """Lay a position down at an address, for the engine."""

    @abstractmethod
    def from_address(self, source: int) -> Any:
        """The position that the engine has at an address."""

    def for_search(self) -> Self:
        """The game for one search alone; another thread may have another."""
        return self

    def explaining_errors(self) -> AbstractContextManager[None]:
        """Around compiled code that calls the kernels: what went wrong inside them is raised with its place."""
        return explaining_errors()
