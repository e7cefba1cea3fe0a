"""The hooks that a search's strategies need; each is imported only if somebody needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ramify.contract.game import Game
from ramify.strategies.base import Fitted, Updates
from ramify.strategies.policy.selectors import Choosers

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.agents.hooks.amaf import AllMoves
    from ramify.agents.hooks.backup import BackupHook
    from ramify.agents.hooks.move_classes import MoveClasses
    from ramify.agents.hooks.playout_learning import LearnedPlayouts
    from ramify.agents.hooks.policy_learning import Learning
    from ramify.agents.hooks.priors import Priors
    from ramify.agents.hooks.proofs import Proofs


def priors_for(game: Game, choosers: Choosers) -> Priors | None:
    """Gives new children priors, if a policy or the allocation asks for them."""
    if not choosers.priors:
        return None
    from ramify.agents.hooks.priors import Priors  # noqa: PLC0415

    return Priors(game, sorts=choosers.widens)


def backup_for(game: Game, agent: Agent, choosers: Choosers) -> BackupHook | None:
    """Backs up otherwise than by the mean; it comes before hooks that look at values."""
    fitted = agent.backup.fit(game)
    if fitted is None:
        return None
    from ramify.agents.hooks.backup import BackupHook  # noqa: PLC0415

    return BackupHook(agent.backup, fitted, choosers)


def move_classes_for(game: Game, choosers: Choosers) -> MoveClasses | None:
    """Writes down the classes of moves, for policies that ask for them; it comes before those that learn from them."""
    if not choosers.classes:
        return None
    from ramify.agents.hooks.move_classes import MoveClasses  # noqa: PLC0415

    return MoveClasses(game, choosers)


def policy_learning_for(game: Game, choosers: Choosers) -> Learning | None:
    """Calls the policies that learn."""
    if not choosers.learning:
        return None
    from ramify.agents.hooks.policy_learning import Learning  # noqa: PLC0415

    return Learning(choosers, game)


def amaf_for(game: Game, choosers: Choosers, updates: Updates) -> AllMoves | None:
    """Credits all moves as first, if a policy asks for that."""
    if not choosers.amaf:
        return None
    from ramify.agents.hooks.amaf import AllMoves  # noqa: PLC0415

    return AllMoves(game, choosers, updates)


def playout_learning_for(game: Game, playout: Fitted) -> LearnedPlayouts | None:
    """Calls the tables of a playout that learns."""
    if playout.learning is None:
        return None
    from ramify.agents.hooks.playout_learning import LearnedPlayouts  # noqa: PLC0415

    return LearnedPlayouts(game, playout.learning)


def proofs_for(game: Game, agent: Agent) -> Proofs | None:
    """Proves scores, if the agent wants it; it reorders children, and so comes last."""
    if not agent.prove:
        return None
    from ramify.agents.hooks.proofs import Proofs  # noqa: PLC0415

    return Proofs(game, agent.allocation)
