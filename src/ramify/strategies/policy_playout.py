"""Playouts that choose move by move among those listed: the base of all that learn or look ahead."""

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

UNIFORM_FALLBACK = Uniform()  # what playouts around others stand around, where nothing is said


class PolicyPlayout(Playout):
    """A playout that lists the moves of every position and chooses one of them."""

    traces = True

    @abstractmethod
    def policy(self, game: Game) -> BoundPlayoutPolicy:
        """How it chooses a move."""

    def bind(self, game: Game, *, traced: bool) -> BoundStrategy:
        """``core.playouts.python_playout`` with the game's turn and this chooser."""
        return bind_playout(game, self.policy(game), traced=traced)


def lowest_limit(playout: Any) -> None:
    """Of playouts within each other the lowest limit of plies counts."""
    object.__setattr__(playout, "limit", min(playout.limit, playout.then.limit))


def reject_simultaneous(game: Game, title: str) -> None:
    """Say so where everybody moves at once."""
    if game.has("play_all"):
        raise RamifyError(
            f"playout={title} is for games of turns, and in {game.name} everybody moves at once; use playout=uniform"
        )


def bind_playout(game: Game, chosen: BoundPlayoutPolicy, *, traced: bool) -> BoundStrategy:
    """The playout of a chooser."""
    classified = traced or bool(chosen.tables)
    table = game.table()
    room = game.max_children + MOVE_BUFFER_SLACK
    moves = np.empty(room, np.int64)
    kinds = np.empty(room, np.int64) if game.has("move_class") else moves
    probabilities, values = np.empty(room), np.empty(room)
    spot = record_of(
        PLAYOUT_CONTEXT,
        moves=address(moves),
        kinds=address(kinds),
        values=address(values),
        probabilities=address(probabilities),
        classes=table_classes(game) if classified else 0,
        classified=classified,
        most=game.max_children,
    )
    playing = record_of(
        PLAYOUT_BLOCK,
        block=0 if chosen.block is None else address(chosen.block),
        spot=address(spot),
        recalled=chosen.uses_history,
        choose=chosen.kernel.address,
        legal=table.legal,
        play=table.play,
        mover=table.mover,
        chances=table.chances,
    )
    kernel = game.listed_playout(chosen.policy)
    learning = PlayoutTables(playing, spot, int(spot["classes"][0]), chosen.tables) if classified else None
    return BoundStrategy(kernel, playing, learning, owned=(moves, kinds, values, probabilities, spot, chosen))


def record_of(dtype: np.dtype[Any], **numbers: Any) -> np.ndarray[Any, Any]:
    """A block with these fields, the others 0."""
    block = np.zeros(1, dtype)
    for name, value in numbers.items():
        block[name] = value
    return block


__getattr__ = old_attributes(__name__)
