"""The observers that a search's policies need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ramify.agents.observers.observer import Observer
from ramify.contract.game import Game
from ramify.strategies.kinds import Updates
from ramify.strategies.policy.choosers import Choosers

if TYPE_CHECKING:
    from ramify.agents.observers.all_moves import AllMoves


def observers_for(game: Game, choosers: Choosers, updates: Updates) -> tuple[list[Observer], AllMoves | None]:
    """All of them in their order, and the one of all moves as first; each is imported only if somebody needs it."""
    found: list[Observer] = []
    if choosers.priors:
        from ramify.agents.observers.priors import Priors  # noqa: PLC0415

        found.append(Priors(game))
    if choosers.learning:
        from ramify.agents.observers.learning import Learning  # noqa: PLC0415

        found.append(Learning(choosers))
    if not choosers.amaf:
        return found, None
    from ramify.agents.observers.all_moves import AllMoves  # noqa: PLC0415

    all_moves = AllMoves(game, choosers, updates)
    return [*found, all_moves], all_moves
