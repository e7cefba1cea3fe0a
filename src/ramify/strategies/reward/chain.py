"""Several rewards one after another, each on what the one before has left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Game, State
from ramify.core.kernels.compiling import Kernel, kernel
from ramify.core.kernels.pointers import address, call, record
from ramify.core.search.plan import BOUND_KERNEL, BOUND_KERNEL_BYTES
from ramify.strategies.base import BoundStrategy, Reward
from ramify.strategies.reward.score import Score

PLACES = ("first", "then", "last")
FIELDS: list[Any] = [("count", np.int64), ("callees", BOUND_KERNEL, (len(PLACES),))]  # then the blocks of the parts
HEAD = np.dtype(FIELDS)
CALLEES_AT: int = HEAD.fields["callees"][1] if HEAD.fields else 0  # bytes into the block
NOTHING = Score()


def chain(block_: int, episode_: int) -> int:
    """Let each of them change the scores."""
    for k in range(record(block_, HEAD).count):
        one = record(block_ + CALLEES_AT + k * BOUND_KERNEL_BYTES, BOUND_KERNEL)
        call(one.kernel, (one.block, episode_))
    return 0


@cache
def compiled() -> Kernel:
    """That function as a kernel."""
    made: Kernel = kernel(chain)
    return made


@dataclass(frozen=True)
class Chain(Reward):
    """Up to three rewards: ``first`` changes the game's scores, ``then`` what is left of them, and so does ``last``."""

    batchable = True  # if all of them do
    first: Reward = NOTHING
    then: Reward = NOTHING
    last: Reward = NOTHING

    def __post_init__(self) -> None:
        warm_up = max(part.warm_up for part in (self.first, self.then, self.last))
        object.__setattr__(self, "warm_up", warm_up)

    def bind(self, game: Game) -> BoundStrategy | None:
        """The kernel above, with a block in which those of the parts stand one after another."""
        parts = {place: fitted for place in PLACES if (fitted := getattr(self, place).bind(game))}
        if not parts:
            return None
        blocks = {place: fitted.block for place, fitted in parts.items() if fitted.block is not None}
        block = np.zeros(1, [*FIELDS, *((place, one.dtype, one.shape) for place, one in blocks.items())])
        block["count"] = len(parts)
        for k, (place, fitted) in enumerate(parts.items()):
            block["callees"][0, k]["kernel"] = fitted.kernel.address
            if place in blocks:
                block[place] = blocks[place]
                block["callees"][0, k]["block"] = address(block[place])
        return BoundStrategy(compiled(), block, owned=tuple(parts.values()))

    def _parts(self, block: npt.NDArray[Any]) -> Iterator[tuple[Reward, npt.NDArray[Any]]]:
        """Those that have a block, and where it is."""
        for place in PLACES:
            if place in (block.dtype.names or ()):
                yield getattr(self, place), block[place][0]

    def on_new_root(self, block: npt.NDArray[Any], state: State, *, same_game: bool) -> None:
        """Tell all of them."""
        for part, own in self._parts(block):
            part.on_new_root(own, state, same_game=same_game)

    def on_warm_up_end(self, block: npt.NDArray[Any]) -> None:
        """Tell those that wait for it."""
        for part, own in self._parts(block):
            if part.warm_up:
                part.on_warm_up_end(own)
