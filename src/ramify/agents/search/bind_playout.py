"""The playout of an agent, fitted to a game as its other strategies need it."""

from ramify.agents.agent import Agent
from ramify.contract.game import Game
from ramify.errors import RamifyError
from ramify.strategies.base import BoundStrategy


def bind_playout(agent: Agent, game: Game, *, traced: bool) -> BoundStrategy:
    """It counts its plies truly where a reward asks for that; ``traced``: it writes down its moves."""
    playout = agent.playout
    if traced and not playout.traces:
        raise RamifyError(
            f"playout={playout.title()} does not write down its moves, which the selection policy needs here;"
            f" use playout={playout.fallback}"
        )
    return (
        playout.bind_exact_length(game, traced=traced)
        if agent.needs_exact_length
        else playout.bind(game, traced=traced)
    )
