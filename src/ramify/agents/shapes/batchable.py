"""Which searches can have many simulations in flight at once."""

from __future__ import annotations

from ramify.agents.agent import Agent
from ramify.agents.shapes.positions_memory import NONE
from ramify.contract.game import Game


def grounded(agent: Agent, game: Game) -> str:
    """What keeps a search on the ground, one simulation after another; empty where nothing does.

    Every strategy says itself whether it flies. Proofs and transpositions change the tree in ways that a lane on its
    way down would not notice. In a game everybody may move at once; or its moves may have classes, which are known of
    one position at a time.
    """
    for selection in (agent.select_root, agent.select):
        if not selection.policy.flies:
            return f"select={selection.name}"
    for strategy in (agent.allocation, agent.playout, agent.reward, agent.recommend, agent.updates):
        for one in strategy.nested():
            if not one.flies:
                return f"{strategy.role}={one.title()}"
    if agent.prove:
        return "prove=true"
    if agent.transpositions != NONE:
        return f"transpositions={agent.transpositions}"
    return game.name if game.has("play_all") or game.has("move_class") else ""
