"""Last good reply (Drake 2009), with forgetting (Baier and Drake 2010)."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Game
from ramify.contract.move_classes import table_classes
from ramify.core.kernels.pointers import address
from ramify.core.playouts.hash_table import HashTableMemory
from ramify.core.playouts.random_policy import UNIFORM
from ramify.core.playouts.reply_policy import LAST_GOOD_REPLY, REPLIES, kernels
from ramify.errors import RamifyError
from ramify.strategies.base import MAX_PLIES, BoundPlayoutPolicy, LearnedTable, Playout, PlyLimit
from ramify.strategies.constants import ValueRange
from ramify.strategies.policy_playout import (
    UNIFORM_FALLBACK,
    PolicyPlayout,
    lowest_limit,
    record_of,
    reject_simultaneous,
)

MAX_KEYS = 1 << 63
MAX_PLACES = 1 << 21  # entries of a dense table of replies to two moves; larger ones are hashed


class ReplyTable(LearnedTable):
    """Replies to one move and to two: dense tables, or a hash table."""

    def __init__(
        self, hashed: HashTableMemory, dense: tuple[npt.NDArray[np.int32], ...], block: npt.NDArray[Any], *, keep: bool
    ) -> None:
        _, self.learn, self._clear = kernels()
        self._hashed, self._dense, self._keep = hashed, dense, keep
        self.block = block

    def clear(self) -> None:
        self._clear(address(self.block), 0)

    def decay(self) -> None:
        if not self._keep:
            self.clear()

    @property
    def nbytes(self) -> int:
        return sum(one.nbytes for one in self._dense) + int(self._hashed.nbytes(self.block))


@dataclass(frozen=True)
class LastGoodReply(PolicyPlayout):
    """Play the reply to the last ``moves`` moves (or to the last one) that won when last played; else as ``then``.

    With ``forget``, a reply that loses is forgotten (LGRF). With ``keep``, replies are kept from move to move.
    """

    batchable = True
    moves: Annotated[int, ValueRange(1, 2, open=False)] = 2
    forget: bool = True
    keep: bool = True
    then: Playout = UNIFORM_FALLBACK
    limit: PlyLimit = MAX_PLIES

    def __post_init__(self) -> None:
        lowest_limit(self)

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        reject_simultaneous(game, self.title())
        inner = self.then.policy(game)
        entries = game.players * table_classes(game)
        places = game.players * entries**2
        if places >= MAX_KEYS:
            raise RamifyError(f"{game.name} has too many players and move classes for last_good_reply: use mast")
        hashed = HashTableMemory()
        ones = np.zeros(game.players * entries, np.int32)
        twos = np.zeros(places if self.moves > 1 and places <= MAX_PLACES else 0, np.int32)
        block = record_of(
            REPLIES,
            **hashed.numbers,
            ones=address(ones),
            twos=address(twos) if len(twos) else 0,
            length=self.moves,
            forgets=self.forget,
            players=game.players,
            entries=entries,
            then=0 if inner.policy is UNIFORM else inner.kernel.address,
            block=0 if inner.block is None else address(inner.block),
        )
        table = ReplyTable(hashed, (ones, twos), block, keep=self.keep)
        tables = (*inner.tables, table)
        return BoundPlayoutPolicy(LAST_GOOD_REPLY, kernels()[0], block, tables, uses_history=True, owned=(inner,))
