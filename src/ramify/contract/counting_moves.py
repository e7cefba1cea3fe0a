"""Games that count the moves played through their kernels, for searches with a user's playout."""

from __future__ import annotations

from copy import copy
from functools import cache
from typing import Any, ClassVar, cast

from ramify.contract.compiled_game import CompiledGame
from ramify.contract.game import Game
from ramify.contract.interfaces.playout_spec import FASTEST, PlayoutSpec
from ramify.core.kernels.compiling import Kernel
from ramify.core.playouts.context import PlayoutPolicy
from ramify.core.playouts.move_counter import counting_table
from ramify.core.search.plan import GameTable


class CountingMoves(Game):
    """What ``counting_moves`` adds to the class of a game."""

    counts_all = True  # False if someone has asked for a kernel that plays moves without counting them
    UNCOUNTED: ClassVar = frozenset(("play", "play_joint", "playout", "exact_length_playout"))

    def table(self) -> GameTable:
        return cast(GameTable, counting_table(super().table()))  # type: ignore[safe-super]

    def kernel(self, part: str) -> Kernel | None:
        self.counts_all &= part not in self.UNCOUNTED
        return super().kernel(part)

    def playout(self, spec: PlayoutSpec = FASTEST) -> Kernel:
        self.counts_all = False
        return super().playout(spec)  # type: ignore[safe-super]

    def policy_playout(self, policy: PlayoutPolicy) -> Kernel:
        self.counts_all = False
        return super().policy_playout(policy)


@cache
def counting_class(kind: type[Game]) -> type[CountingMoves]:
    return type(f"Counting{kind.__name__}", (CountingMoves, kind), {})


def counting_moves(game: Game) -> CountingMoves:
    """Return a copy of a game for one search. Its table has kernels that count moves, with a counter of its own."""
    made: Any = game.with_own_rules() if isinstance(game, CompiledGame) else copy(game)
    made.__class__ = counting_class(type(game))
    return cast(CountingMoves, made)
