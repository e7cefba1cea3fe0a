"""Everything that a player needs, compiled before the first match begins."""

from __future__ import annotations

from ramify.agents.agent import Agent
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.rules import Rules
from ramify.ggp.sheets import rulesheet
from ramify.players.ggp.boards import InterpretedBoard, best_board
from ramify.players.ggp.mind import Mind


def warm(agent: Agent) -> None:
    """Search a small game both ways; an agent that cannot play rulesheets is refused now."""
    rules = Rules.of(rulesheet("tictactoe"), "tictactoe")
    start = Interpreter(rules).initial()
    for make in (InterpretedBoard, best_board):
        Mind(agent, lambda: 1).prepare(make(rules, rules.roles[0]), start)
