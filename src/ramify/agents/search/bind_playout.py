"""Binds an agent's playout to a game, with the options that its other strategies need."""

from ramify.agents.agent import Agent
from ramify.agents.strategy_answers import checked_binding
from ramify.contract.game import Game
from ramify.errors import RamifyError
from ramify.strategies.base import BoundStrategy


def bind_playout(agent: Agent, game: Game, *, traced: bool) -> BoundStrategy:
    """Bind the playout. It returns its exact length if the reward needs that; ``traced``: it records its moves."""
    playout = agent.playout
    if traced and not playout.traces:
        raise RamifyError(
            f"playout={playout.title()} does not record its moves, which the selection policy needs in this game:"
            f" use playout={playout.fallback}"
        )
    bind = playout.bind_exact_length if agent.needs_exact_length else playout.bind
    return checked_binding(playout, bind(game, traced=traced))
