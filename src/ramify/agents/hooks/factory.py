"""The hooks that a search's strategies need; each is imported only if somebody needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ramify.contract.game import Game
from ramify.strategies.base import BoundStrategy, Updates
from ramify.strategies.policy.selectors import Selectors

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.agents.hooks.amaf import AmafHook
    from ramify.agents.hooks.backup import BackupHook
    from ramify.agents.hooks.move_classes import MoveClasses
    from ramify.agents.hooks.playout_learning import PlayoutLearningHook
    from ramify.agents.hooks.policy_learning import PolicyLearningHook
    from ramify.agents.hooks.priors import PriorsHook
    from ramify.agents.hooks.proofs import ProofHook


def priors_for(game: Game, choosers: Selectors) -> PriorsHook | None:
    """Gives new children priors, if a policy or the allocation asks for them."""
    if not choosers.priors:
        return None
    from ramify.agents.hooks.priors import PriorsHook  # noqa: PLC0415

    return PriorsHook(game, sorts=choosers.widens)


def backup_for(game: Game, agent: Agent, choosers: Selectors) -> BackupHook | None:
    """Backs up otherwise than by the mean; it comes before hooks that look at values."""
    fitted = agent.backup.bind(game)
    if fitted is None:
        return None
    from ramify.agents.hooks.backup import BackupHook  # noqa: PLC0415

    return BackupHook(agent.backup, fitted, choosers)


def move_classes_for(game: Game, choosers: Selectors) -> MoveClasses | None:
    """Writes down the classes of moves, for policies that ask for them; it comes before those that learn from them."""
    if not choosers.classes:
        return None
    from ramify.agents.hooks.move_classes import MoveClasses  # noqa: PLC0415

    return MoveClasses(game, choosers)


def policy_learning_for(game: Game, choosers: Selectors) -> PolicyLearningHook | None:
    """Calls the policies that learn."""
    if not choosers.learning:
        return None
    from ramify.agents.hooks.policy_learning import PolicyLearningHook  # noqa: PLC0415

    return PolicyLearningHook(choosers, game)


def amaf_for(game: Game, choosers: Selectors, updates: Updates) -> AmafHook | None:
    """Credits all moves as first, if a policy asks for that."""
    if not choosers.amaf:
        return None
    from ramify.agents.hooks.amaf import AmafHook  # noqa: PLC0415

    return AmafHook(game, choosers, updates)


def playout_learning_for(game: Game, playout: BoundStrategy) -> PlayoutLearningHook | None:
    """Calls the tables of a playout that learns."""
    if playout.learning is None:
        return None
    from ramify.agents.hooks.playout_learning import PlayoutLearningHook  # noqa: PLC0415

    return PlayoutLearningHook(game, playout.learning)


def proofs_for(game: Game, agent: Agent) -> ProofHook | None:
    """Proves scores, if the agent wants it; it reorders children, and so comes last."""
    if not agent.prove:
        return None
    from ramify.agents.hooks.proofs import ProofHook  # noqa: PLC0415

    return ProofHook(game, agent.allocation)
