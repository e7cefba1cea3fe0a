"""The kernels of a game, and how positions enter and leave the engine's memory."""

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
    """Many positions of a game, stepped together by kernels (``core.shapes.batch`` describes them)."""

    block: int  # address of the kernels' block
    chosen: int  # address of the move to play in each slot

    @property
    def kernels(self) -> dict[str, Kernel]:
        """Kernels by name, as the record ``BATCH`` of ``core.shapes.batch`` lists them."""

    def begin(self, data: Any, slots: int, rng: int) -> None:
        """Start ``slots`` copies at a position. Restarted slots return to it. ``rng`` is a generator's address."""


class GameKernels(ABC):
    """What a search needs of a game besides its rules."""

    state_bytes: int
    state_is_bytes = True  # whether the engine's state is the position itself, byte by byte

    @abstractmethod
    def table(self) -> GameTable:
        """Addresses and sizes for the engine."""

    def kernel(self, part: str) -> Kernel | None:
        """Return the kernel of an optional part, or None if the game does not have it."""
        del part
        return None

    @abstractmethod
    def playout(self, spec: PlayoutSpec = FASTEST) -> Kernel:
        """Return the kernel that plays to the end as ``spec`` asks."""

    def policy_playout(self, policy: PlayoutPolicy) -> Kernel:
        """Return the playout kernel that lists the moves and chooses by ``policy`` (``core.playouts.context``)."""
        del policy
        made: Kernel = playing_kernel()
        return made

    def winning_move_kernel(self) -> Kernel:
        """Return the kernel that looks for an immediately winning move (``core.playouts.context``)."""
        made: Kernel = winning_move_kernel()
        return made

    @property
    def is_users(self) -> bool:
        """Whether the rules are in a user's file, so that they may break the contract."""
        return False

    @property
    def has_batch(self) -> bool:
        """Whether one step in many positions costs little more than in one."""
        return False

    def batch(self, size: int) -> PositionBatch:
        """Return a batch of ``size`` positions, for games with ``has_batch``."""
        raise NotImplementedError(f"no batch of {size} positions")

    def warm(self) -> None:
        """Compile everything that can be compiled ahead of a search."""
        return

    @abstractmethod
    def to_address(self, data: Any, target: int) -> None:
        """Copy a position into the engine's memory."""

    @abstractmethod
    def from_address(self, source: int) -> Any:
        """Return the position that the engine holds at an address."""

    def for_search(self) -> Self:
        """Return the game for one search; searches in other threads need their own."""
        return self

    def explaining_errors(self) -> AbstractContextManager[None]:
        """Wrap compiled code that calls the kernels: errors of the author's functions are raised with their line."""
        return explaining_errors()
