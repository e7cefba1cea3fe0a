"""Playouts driven by a playout policy, which chooses each move from the list of legal ones."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from ramify.contract.game import MOVE_BUFFER_SLACK, Game
from ramify.contract.move_classes import table_classes
from ramify.core.kernels.pointers import address
from ramify.core.playouts.context import PLAYOUT_BLOCK, PLAYOUT_CONTEXT
from ramify.errors import RamifyError
from ramify.old_names import old_attributes
from ramify.strategies.base import BoundPlayoutPolicy, BoundStrategy, Playout, PlayoutTables
from ramify.strategies.playout.uniform import Uniform

UNIFORM_FALLBACK = Uniform()  # default inner playout


class PolicyPlayout(Playout):
    """A playout that lists the legal moves of every position and chooses one of them."""

    traces = True

    @abstractmethod
    def policy(self, game: Game) -> BoundPlayoutPolicy: ...

    def bind(self, game: Game, *, traced: bool) -> BoundStrategy:
        return bind_playout(game, self.policy(game), traced=traced)


def lowest_limit(playout: Any) -> None:
    """Set ``limit`` to the lowest limit of this playout and its inner one."""
    object.__setattr__(playout, "limit", min(playout.limit, playout.then.limit))


def reject_simultaneous(game: Game, title: str) -> None:
    if game.has("play_joint"):
        raise RamifyError(
            f"playout={title} does not support simultaneous moves, which {game.name} has: use playout=uniform"
        )


def bind_playout(game: Game, chosen: BoundPlayoutPolicy, *, traced: bool) -> BoundStrategy:
    """Return the playout that chooses every move by ``chosen``."""
    classified = traced or bool(chosen.tables)
    table = game.table()
    capacity = game.max_children + MOVE_BUFFER_SLACK
    moves = np.empty(capacity, np.int64)
    move_classes = np.empty(capacity, np.int64) if game.has("move_class") else moves
    probabilities, values = np.empty(capacity), np.empty(capacity)
    context = record_of(
        PLAYOUT_CONTEXT,
        moves=address(moves),
        move_classes=address(move_classes),
        values=address(values),
        probabilities=address(probabilities),
        classes=table_classes(game) if classified else 0,
        classified=classified,
        max_moves=game.max_children,
    )
    block = record_of(
        PLAYOUT_BLOCK,
        block=0 if chosen.block is None else address(chosen.block),
        context=address(context),
        uses_history=chosen.uses_history,
        choose=chosen.kernel.address,
        legal=table.legal,
        play=table.play,
        mover=table.mover,
        chance_outcomes=table.chance_outcomes,
    )
    kernel = game.policy_playout(chosen.policy)
    learning = PlayoutTables(block, context, int(context["classes"][0]), chosen.tables) if classified else None
    return BoundStrategy(kernel, block, learning, owned=(moves, move_classes, values, probabilities, context, chosen))


def record_of(dtype: np.dtype[Any], **numbers: Any) -> np.ndarray[Any, Any]:
    """Return a one-record array with these fields; the others are 0."""
    block = np.zeros(1, dtype)
    for name, value in numbers.items():
        block[name] = value
    return block


__getattr__ = old_attributes(__name__)
