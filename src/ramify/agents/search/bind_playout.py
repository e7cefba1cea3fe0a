"""The playout of an agent, fitted to a game as its other strategies need it."""

from ramify.agents.agent import Agent
from ramify.contract.game import Game
from ramify.errors import RamifyError
from ramify.strategies.base import Fitted


def playout_for(agent: Agent, game: Game, *, traced: bool) -> Fitted:
    """It counts its plies truly where a reward asks for that; ``traced``: it writes down its moves."""
    playout = agent.playout
    if traced and not playout.traces:
        raise RamifyError(
            f"playout={playout.title()} does not write down its moves, which the selection policy needs here;"
            f" use playout={playout.instead}"
        )
    return playout.fit_timed(game, traced=traced) if agent.timed else playout.fit(game, traced=traced)
