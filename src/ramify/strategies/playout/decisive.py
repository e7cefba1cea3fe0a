"""Decisive and anti-decisive moves (Teytaud and Teytaud 2010): win immediately, and prevent immediate losses."""

from dataclasses import dataclass

import numpy as np

from ramify.contract.game import MOVE_BUFFER_SLACK, Game
from ramify.core.kernels.pointers import address
from ramify.core.playouts.context import TRY_BLOCK
from ramify.core.playouts.decisive_policy import ANTI_DECISIVE, DECISIVE, DECISIVE_BLOCK, choosing_kernel
from ramify.core.playouts.random_policy import UNIFORM
from ramify.strategies.base import MAX_PLIES, BoundPlayoutPolicy, Playout, PlyLimit
from ramify.strategies.policy_playout import (
    UNIFORM_FALLBACK,
    PolicyPlayout,
    lowest_limit,
    record_of,
    reject_simultaneous,
)


@dataclass(frozen=True)
class Decisive(PolicyPlayout):
    """Play a move that wins immediately, if there is one; else as ``then``.

    With ``anti``, a move that lets the next player win immediately is only played if all moves do.
    """

    anti: bool = False
    then: Playout = UNIFORM_FALLBACK
    limit: PlyLimit = MAX_PLIES

    def __post_init__(self) -> None:
        lowest_limit(self)

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        reject_simultaneous(game, self.title())
        inner = self.then.policy(game)
        table = game.table()
        win = game.winning_move_kernel()
        states = np.zeros((2, -(-game.state_bytes // 16) * 16), np.uint8)
        out = np.zeros(game.players)
        buffers = np.empty((2, game.max_children + MOVE_BUFFER_SLACK), np.int64)
        try_block = record_of(
            TRY_BLOCK,
            scratch=address(states),
            out=address(out),
            legal=table.legal,
            play=table.play,
            scores=table.scores,
            copy=table.copy,
            moves=address(buffers),
            state_bytes=game.state_bytes,
        )
        block = record_of(
            DECISIVE_BLOCK,
            win=win.address,
            try_block=address(try_block),
            anti=self.anti,
            then=0 if inner.policy is UNIFORM else inner.kernel.address,
            block=0 if inner.block is None else address(inner.block),
            after=address(states[1:]),
            replies=address(buffers[1:]),
            play=table.play,
            mover=table.mover,
            legal=table.legal,
            copy=table.copy,
            state_bytes=game.state_bytes,
        )
        owned = (inner, win, states, out, buffers, try_block)
        policy = ANTI_DECISIVE if game.has("winning_move") else DECISIVE
        return BoundPlayoutPolicy(
            policy, choosing_kernel(), block, inner.tables, uses_history=inner.uses_history, owned=owned
        )
