"""Replies that won last time (Drake 2009), forgotten when they lose (Baier and Drake 2010)."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Game
from ramify.contract.move_classes import dense_classes
from ramify.core.kernels.pointers import address
from ramify.core.playouts.hash_table import HashedMemory
from ramify.core.playouts.random_policy import UNIFORM
from ramify.core.playouts.reply_policy import BY_REPLIES, REPLIES, kernels
from ramify.errors import RamifyError
from ramify.strategies.base import MOST_PLIES, Choosing, Playout, PlyLimit, Table
from ramify.strategies.constants import Limits
from ramify.strategies.policy_playout import UNIFORMLY, MoveByMove, innermost_limit, record_of, refuse_joint_turns

MOST_KEYS = 1 << 63
MOST_PLACES = 1 << 21  # for replies to two moves that stand in a table of their own


class Replies(Table):
    """Of one move, and of two: a table by these, or by hashes."""

    def __init__(
        self, hashed: HashedMemory, dense: tuple[npt.NDArray[np.int32], ...], block: npt.NDArray[Any], *, keep: bool
    ) -> None:
        _, self.learn, self._forget = kernels()
        self._hashed, self._dense, self._keep = hashed, dense, keep
        self.block = block

    def forget(self) -> None:
        """Forget all replies."""
        self._forget(address(self.block), 0)

    def age(self) -> None:
        """Forget them, or keep them."""
        if not self._keep:
            self.forget()

    @property
    def nbytes(self) -> int:
        """Of all tables."""
        return sum(one.nbytes for one in self._dense) + int(self._hashed.nbytes(self.block))


@dataclass(frozen=True)
class LastGoodReply(MoveByMove):
    """The reply to the last ``moves`` moves, or the last one, that won when it was last made; else as ``then``.

    With ``forget`` a reply that lost is forgotten (LGRF); with ``keep`` replies are kept when the game moves on.
    """

    flies = True
    moves: Annotated[int, Limits(1, 2, open=False)] = 2
    forget: bool = True
    keep: bool = True
    then: Playout = UNIFORMLY
    limit: PlyLimit = MOST_PLIES

    def __post_init__(self) -> None:
        innermost_limit(self)

    def choosing(self, game: Game) -> Choosing:
        """By a table of its own, and ``then``."""
        refuse_joint_turns(game, self.title())
        inner = self.then.choosing(game)
        entries = game.players * dense_classes(game)
        places = game.players * entries**2
        if places >= MOST_KEYS:
            raise RamifyError(f"{game.name} has too many players and move classes for last_good_reply; use mast")
        hashed = HashedMemory()
        ones = np.zeros(game.players * entries, np.int32)
        twos = np.zeros(places if self.moves > 1 and places <= MOST_PLACES else 0, np.int32)
        block = record_of(
            REPLIES,
            **hashed.numbers,
            ones=address(ones),
            twos=address(twos) if len(twos) else 0,
            length=self.moves,
            forgets=self.forget,
            players=game.players,
            entries=entries,
            then=0 if inner.chooser is UNIFORM else inner.kernel.address,
            block=0 if inner.block is None else address(inner.block),
        )
        table = Replies(hashed, (ones, twos), block, keep=self.keep)
        tables = (*inner.tables, table)
        return Choosing(BY_REPLIES, kernels()[0], block, tables, recalls=True, owned=(inner,))
