"""Creates the hooks that the strategies of a search need. Each module is imported on demand."""

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
    from ramify.agents.hooks.raw_scores import RawScores


def priors_for(game: Game, selectors: Selectors) -> PriorsHook | None:
    """Return the hook that sets priors, if a policy or the allocation uses them."""
    if not selectors.priors:
        return None
    from ramify.agents.hooks.priors import PriorsHook  # noqa: PLC0415

    return PriorsHook(game, sorts=selectors.widens)


def backup_for(game: Game, agent: Agent, selectors: Selectors) -> BackupHook | None:
    """Return the hook of a backup other than the mean. It must run before hooks that read values."""
    bound = agent.backup.bind(game)
    if bound is None:
        return None
    from ramify.agents.hooks.backup import BackupHook  # noqa: PLC0415

    return BackupHook(agent.backup, bound, selectors)


def move_classes_for(game: Game, selectors: Selectors) -> MoveClasses | None:
    """Return the hook that stores move classes, if a policy uses them. It must run before policies learn."""
    if not selectors.classes:
        return None
    from ramify.agents.hooks.move_classes import MoveClasses  # noqa: PLC0415

    return MoveClasses(game, selectors)


def policy_learning_for(game: Game, selectors: Selectors) -> PolicyLearningHook | None:
    """Return the hook that updates policies that learn."""
    if not selectors.learning:
        return None
    from ramify.agents.hooks.policy_learning import PolicyLearningHook  # noqa: PLC0415

    return PolicyLearningHook(selectors, game)


def amaf_for(game: Game, selectors: Selectors, updates: Updates) -> AmafHook | None:
    """Return the AMAF hook, if a policy uses it."""
    if not selectors.amaf:
        return None
    from ramify.agents.hooks.amaf import AmafHook  # noqa: PLC0415

    return AmafHook(game, selectors, updates)


def playout_learning_for(game: Game, playout: BoundStrategy, raw: RawScores | None) -> PlayoutLearningHook | None:
    """Return the hook that updates the tables of a playout that learns."""
    if playout.learning is None:
        return None
    from ramify.agents.hooks.playout_learning import PlayoutLearningHook  # noqa: PLC0415

    return PlayoutLearningHook(game, playout.learning, raw)


def proofs_for(game: Game, agent: Agent) -> ProofHook | None:
    """Return the hook that proves scores. It reorders children, so it must run last."""
    if not agent.prove:
        return None
    from ramify.agents.hooks.proofs import ProofHook  # noqa: PLC0415

    return ProofHook(game, agent.allocation)
