"""Several rewards in a row, each applied to the scores that the previous one left."""

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
FIELDS: list[Any] = [("count", np.int64), ("rewards", BOUND_KERNEL, (len(PLACES),))]  # then the blocks of the parts
HEAD = np.dtype(FIELDS)
REWARDS_AT: int = HEAD.fields["rewards"][1] if HEAD.fields else 0  # bytes into the block
NOTHING = Score()


def chain(block_: int, episode_: int) -> int:
    """Apply each reward in turn."""
    for k in range(record(block_, HEAD).count):
        one = record(block_ + REWARDS_AT + k * BOUND_KERNEL_BYTES, BOUND_KERNEL)
        call(one.kernel, (one.block, episode_))
    return 0


@cache
def compiled() -> Kernel:
    made: Kernel = kernel(chain)
    return made


@dataclass(frozen=True)
class Chain(Reward):
    """Up to three rewards: ``first`` changes the game's scores, ``then`` and ``last`` the previous result."""

    batchable = True  # if all parts are
    first: Reward = NOTHING
    then: Reward = NOTHING
    last: Reward = NOTHING

    def __post_init__(self) -> None:
        warm_up = max(part.warm_up for part in (self.first, self.then, self.last))
        object.__setattr__(self, "warm_up", warm_up)

    def bind(self, game: Game) -> BoundStrategy | None:
        """Return the chain's kernel and one block that holds the blocks of its parts."""
        parts = {place: bound for place in PLACES if (bound := getattr(self, place).bind(game))}
        if not parts:
            return None
        blocks = {place: bound.block for place, bound in parts.items() if bound.block is not None}
        block = np.zeros(1, [*FIELDS, *((place, one.dtype, one.shape) for place, one in blocks.items())])
        block["count"] = len(parts)
        for k, (place, bound) in enumerate(parts.items()):
            block["rewards"][0, k]["kernel"] = bound.kernel.address
            if place in blocks:
                block[place] = blocks[place]
                block["rewards"][0, k]["block"] = address(block[place])
        return BoundStrategy(compiled(), block, owned=tuple(parts.values()))

    def _parts(self, block: npt.NDArray[Any]) -> Iterator[tuple[Reward, npt.NDArray[Any]]]:
        """Yield the parts that have a block, with it."""
        for place in PLACES:
            if place in (block.dtype.names or ()):
                yield getattr(self, place), block[place][0]

    def on_new_root(self, block: npt.NDArray[Any], state: State, *, same_game: bool) -> None:
        for part, own in self._parts(block):
            part.on_new_root(own, state, same_game=same_game)

    def on_warm_up_end(self, block: npt.NDArray[Any]) -> None:
        for part, own in self._parts(block):
            if part.warm_up:
                part.on_warm_up_end(own)
