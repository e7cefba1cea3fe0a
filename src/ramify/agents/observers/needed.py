"""The observers that a search's strategies need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ramify.agents.observers.observer import Observer
from ramify.contract.game import Game
from ramify.strategies.kinds import Fitted, Updates
from ramify.strategies.policy.choosers import Choosers

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.agents.observers.all_moves import AllMoves
    from ramify.agents.observers.joint import Joint
    from ramify.agents.observers.proofs import Proofs


def observers_for(game: Game, choosers: Choosers, updates: Updates) -> tuple[list[Observer], AllMoves | None]:
    """All of them in their order, and the one of all moves as first; each is imported only if somebody needs it."""
    found: list[Observer] = []
    if choosers.priors:
        from ramify.agents.observers.priors import Priors  # noqa: PLC0415

        found.append(Priors(game))
    if choosers.classes:  # before those that learn from them
        from ramify.agents.observers.move_classes import MoveClasses  # noqa: PLC0415

        found.append(MoveClasses(game, choosers))
    if choosers.learning:
        from ramify.agents.observers.learning import Learning  # noqa: PLC0415

        found.append(Learning(choosers, game))
    if not choosers.amaf:
        return found, None
    from ramify.agents.observers.all_moves import AllMoves  # noqa: PLC0415

    all_moves = AllMoves(game, choosers, updates)
    return [*found, all_moves], all_moves


def learner_for(game: Game, playout: Fitted) -> Observer | None:
    """The observer of a playout that learns, or that others learn from."""
    if playout.learning is None:
        return None
    from ramify.agents.observers.playouts import LearnedPlayouts  # noqa: PLC0415

    return LearnedPlayouts(game, playout.learning)


def joint_for(game: Game, choosers: Choosers, deviation: str) -> Joint | None:
    """The memory of joint moves, in games that have them."""
    if not game.has("play_all"):
        return None
    from ramify.agents.observers.joint import CHILDREN, Joint  # noqa: PLC0415

    return Joint(game, of_children=choosers.squares and deviation == CHILDREN)


def proofs_for(game: Game, agent: Agent) -> Proofs | None:
    """The observer that proves scores, if the agent wants it; it reorders children, and so comes last."""
    if not agent.prove:
        return None
    from ramify.agents.observers.proofs import Proofs  # noqa: PLC0415

    return Proofs(game, agent.allocation)
