"""Builds a search: an agent's strategies bound to a game, with the shape and the hooks that they need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ramify.agents.agent import Agent
from ramify.agents.hooks.factory import (
    amaf_for,
    backup_for,
    move_classes_for,
    playout_learning_for,
    policy_learning_for,
    priors_for,
    proofs_for,
)
from ramify.agents.hooks.hook import Hook
from ramify.agents.hooks.raw_scores import RawScores, raw_scores_if_needed
from ramify.agents.search.bind_playout import bind_playout
from ramify.agents.search.preconditions import check_backup, precheck_policies, search_game
from ramify.agents.shapes.column_owner import ColumnOwner
from ramify.agents.shapes.factory import shape_for
from ramify.agents.shapes.shape import Shape
from ramify.contract.game import Game
from ramify.core.search.plan import GameTable
from ramify.core.search.tree import MAX_PLAYERS
from ramify.errors import RamifyError
from ramify.strategies.base import BoundStrategy
from ramify.strategies.policy.selectors import Selectors

if TYPE_CHECKING:
    from ramify.agents.hooks.amaf import AmafHook
    from ramify.agents.hooks.backup import BackupHook
    from ramify.agents.hooks.proofs import ProofHook


@dataclass(frozen=True)
class SearchParts:
    """What one search is made of, bound to its game."""

    agent: Agent
    game: Game
    choosers: Selectors
    shape: Shape
    hooks: tuple[Hook, ...]  # in the order in which they are called
    backup: BackupHook | None  # one of the hooks
    amaf: AmafHook | None  # one of the hooks
    proofs: ProofHook | None  # one of the hooks
    playout: BoundStrategy
    reward: BoundStrategy | None
    raw: RawScores | None  # keeps the scores that the reward changes, for policies that ask for them
    traced: bool  # whether simulations write down the moves of their playouts
    table: GameTable  # the game as the loop sees it
    column_owners: tuple[ColumnOwner, ...]  # the shape and the hooks, in the order of their columns


def build_search(game: Game, agent: Agent, player: int | None) -> SearchParts:
    """Bind an agent to a game; what cannot be searched so is rejected."""
    own = search_game(game, agent, player)
    if own.players > MAX_PLAYERS:
        raise RamifyError(f"{own.name} has {own.players} players; a search knows {MAX_PLAYERS} at most")
    kind = shape_for(agent, own)
    agent.check(own)
    precheck_policies(agent)
    choosers = Selectors(
        agent.select_root, agent.select, agent.fpu, own.players, keeps_average=agent.recommend.uses_average_strategy
    )
    choosers.priors |= agent.allocation.uses_priors or (choosers.widens and own.has("priors"))
    check_backup(agent, kind, choosers)
    amaf = amaf_for(own, choosers, agent.updates)
    priors, backup = priors_for(own, choosers), backup_for(own, agent, choosers)
    of_policies = (move_classes_for(own, choosers), policy_learning_for(own, choosers), amaf)
    traced = any(one.traced for one in of_policies if one)
    playout = bind_playout(agent, own, traced=traced)
    learning, proofs = playout_learning_for(own, playout), proofs_for(own, agent)
    # Priors sort new children, before others write beside them; a backup comes before those that look at values.
    hooks = tuple(one for one in (priors, backup, *of_policies, learning, proofs) if one)
    shape = kind(own, agent, choosers, traced=learning is not None)
    reward = agent.reward.bind(own)
    return SearchParts(
        agent=agent,
        game=own,
        choosers=choosers,
        shape=shape,
        hooks=hooks,
        backup=backup,
        amaf=amaf,
        proofs=proofs,
        playout=playout,
        reward=reward,
        raw=raw_scores_if_needed(choosers, reward, own.players),
        traced=traced or learning is not None,
        table=own.table(),
        column_owners=(shape, *hooks),
    )
