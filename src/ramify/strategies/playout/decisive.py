"""Decisive and anti-decisive moves (Teytaud and Teytaud 2010): win at once, and let nobody else."""

from dataclasses import dataclass

import numpy as np

from ramify.contract.game import MOVES_TO_SPARE, Game
from ramify.core.kernels.pointers import address
from ramify.core.playouts.context import TRIAL
from ramify.core.playouts.decisive_policy import BY_OTHERS, BY_WINS, WINS, choosing_kernel
from ramify.core.playouts.random_policy import UNIFORM
from ramify.strategies.base import MOST_PLIES, Choosing, Playout, PlyLimit
from ramify.strategies.policy_playout import UNIFORMLY, MoveByMove, innermost_limit, record_of, refuse_joint_turns


@dataclass(frozen=True)
class Decisive(MoveByMove):
    """A move that wins at once, if there is one; else as ``then``.

    With ``anti`` a move that lets the next player win at once is chosen only where all do.
    """

    anti: bool = False
    then: Playout = UNIFORMLY
    limit: PlyLimit = MOST_PLIES

    def __post_init__(self) -> None:
        innermost_limit(self)

    def choosing(self, game: Game) -> Choosing:
        """With room to try moves in."""
        refuse_joint_turns(game, self.title())
        inner = self.then.choosing(game)
        table = game.table()
        win = game.win()
        states = np.zeros((2, -(-game.state_bytes // 16) * 16), np.uint8)
        out = np.zeros(game.players)
        buffers = np.empty((2, game.max_children + MOVES_TO_SPARE), np.int64)
        trial = record_of(
            TRIAL,
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
            WINS,
            win=win.address,
            trial=address(trial),
            anti=self.anti,
            then=0 if inner.chooser is UNIFORM else inner.kernel.address,
            block=0 if inner.block is None else address(inner.block),
            after=address(states[1:]),
            replies=address(buffers[1:]),
            play=table.play,
            mover=table.mover,
            legal=table.legal,
            copy=table.copy,
            state_bytes=game.state_bytes,
        )
        owned = (inner, win, states, out, buffers, trial)
        chooser = BY_OTHERS if game.has("winning") else BY_WINS
        return Choosing(chooser, choosing_kernel(), block, inner.tables, recalls=inner.recalls, owned=owned)
