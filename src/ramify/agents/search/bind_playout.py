"""Binds an agent's playout to a game, with the options that its other strategies need."""

from dataclasses import replace

import numpy as np

from ramify.agents.agent import Agent
from ramify.agents.strategy_answers import checked_binding
from ramify.contract.counting_moves import CountingMoves
from ramify.contract.game import MOVE_BUFFER_SLACK, Game
from ramify.core.kernels.compiling import is_users
from ramify.core.kernels.pointers import address
from ramify.core.playouts.checked_playout import CHECKED_PLAYOUT, checking_kernel
from ramify.errors import RamifyError
from ramify.strategies.base import BoundStrategy, Playout
from ramify.strategies.policy_playout import record_of


def has_users_playout(agent: Agent) -> bool:
    """Whether the playout, or one inside it, is written by a user."""
    return any(isinstance(one, Playout) and one.is_users() for one in agent.playout.nested())


def bind_playout(agent: Agent, game: Game, *, traced: bool, batched: bool) -> BoundStrategy:
    """Bind the playout. It returns its exact length if the reward needs that; ``traced``: it records its moves.

    ``batched``: many simulations are in flight, and the search plays their moves itself.
    """
    playout = agent.playout
    if traced and not playout.traces:
        raise RamifyError(
            f"playout={playout.title()} does not record its moves, which the selection policy needs in this game:"
            f" use playout={playout.fallback}"
        )
    bind = playout.bind_exact_length if agent.needs_exact_length else playout.bind
    bound = checked_binding(playout, bind(game, traced=traced))
    if not isinstance(game, CountingMoves) or not is_users(bound.kernel.function):
        return bound
    if batched:
        raise RamifyError(
            f"playout={playout.title()} has a kernel of its own, which a batch of simulations does not call: remove"
            " batchable = True"
        )
    return check_playouts(bound, game)


def check_playouts(bound: BoundStrategy, game: CountingMoves) -> BoundStrategy:
    """Return a user's playout with a check of every playout."""
    table = game.table()
    probabilities = np.empty(game.max_children + MOVE_BUFFER_SLACK)
    block = record_of(
        CHECKED_PLAYOUT,
        kernel=bound.kernel.address,
        block=0 if bound.block is None else address(bound.block),
        exact=game.counts_all,
        probabilities=address(probabilities),
        **{name: getattr(table, name) for name in CHECKED_PLAYOUT.names or () if name in table._fields},
    )
    return replace(bound, kernel=checking_kernel(), block=block, owned=(bound, probabilities))
