"""Builds a search: binds an agent's strategies to a game and creates its shape and hooks."""

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
from ramify.agents.search.bind_playout import bind_playout, has_users_playout
from ramify.agents.search.preconditions import check_backup, precheck_policies, search_game
from ramify.agents.shapes.batch import BatchShape
from ramify.agents.shapes.column_owner import ColumnOwner
from ramify.agents.shapes.factory import shape_for
from ramify.agents.shapes.shape import Shape
from ramify.contract.counting_moves import counting_moves
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
    """The parts of one search, bound to its game."""

    agent: Agent
    game: Game
    selectors: Selectors
    shape: Shape
    hooks: tuple[Hook, ...]  # in calling order
    backup: BackupHook | None  # one of the hooks
    amaf: AmafHook | None  # one of the hooks
    proofs: ProofHook | None  # one of the hooks
    playout: BoundStrategy
    reward: BoundStrategy | None
    raw: RawScores | None  # stores the scores before the reward changes them
    traced: bool  # whether playouts record their moves
    table: GameTable  # the game's kernels
    column_owners: tuple[ColumnOwner, ...]  # the shape and the hooks, in the order of their columns


def build_search(game: Game, agent: Agent, player: int | None) -> SearchParts:
    """Bind an agent to a game. Raise for unsupported combinations."""
    bound_game = search_game(game, agent, player)
    if bound_game.players > MAX_PLAYERS:
        raise RamifyError(f"{bound_game.name} has {bound_game.players} players; searches support at most {MAX_PLAYERS}")
    if has_users_playout(agent):
        bound_game = counting_moves(bound_game)
    shape_class = shape_for(agent, bound_game)
    agent.check(bound_game)
    precheck_policies(agent)
    selectors = Selectors(
        agent.select_root,
        agent.select,
        agent.fpu,
        bound_game.players,
        keeps_average=agent.recommend.uses_average_strategy,
    )
    selectors.priors |= agent.allocation.uses_priors or (selectors.widens and bound_game.has("priors"))
    check_backup(agent, shape_class, selectors)
    amaf = amaf_for(bound_game, selectors, agent.updates)
    priors, backup = priors_for(bound_game, selectors), backup_for(bound_game, agent, selectors)
    policy_hooks = (move_classes_for(bound_game, selectors), policy_learning_for(bound_game, selectors), amaf)
    traced = any(one.traced for one in policy_hooks if one)
    playout = bind_playout(agent, bound_game, traced=traced, batched=issubclass(shape_class, BatchShape))
    reward = agent.reward.bind(bound_game)
    raw = raw_scores_if_needed(selectors, playout, reward, bound_game.players)
    learning, proofs = playout_learning_for(bound_game, playout, raw), proofs_for(bound_game, agent)
    # Priors sort new children before other hooks write their columns; a backup runs before hooks that read values.
    hooks = tuple(one for one in (priors, backup, *policy_hooks, learning, proofs) if one)
    shape = shape_class(bound_game, agent, selectors, traced=learning is not None)
    return SearchParts(
        agent=agent,
        game=bound_game,
        selectors=selectors,
        shape=shape,
        hooks=hooks,
        backup=backup,
        amaf=amaf,
        proofs=proofs,
        playout=playout,
        reward=reward,
        raw=raw,
        traced=traced or learning is not None,
        table=bound_game.table(),
        column_owners=(shape, *hooks),
    )
