"""Everything that a player needs, compiled before the first match begins."""

from __future__ import annotations

from contextlib import suppress

from ramify.agents.agent import Agent
from ramify.ggp.grounding import TooLargeError
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.propnet_cache import make
from ramify.ggp.rules import Rules
from ramify.ggp.rulesheets import rulesheet
from ramify.players.ggp.match_search import Mind
from ramify.players.ggp.role_games import all_boards


def warm(agent: Agent) -> None:
    """Search a small game in every way; an agent that cannot play rulesheets is refused now."""
    rules = Rules.of(rulesheet("tictactoe"), "tictactoe")
    start = Interpreter(rules).initial()
    with suppress(TooLargeError):  # a machine that is too busy now may be less so in a match
        make(rules)  # also if it is kept on disk: compiling what makes networks would stop the clockwork of a match
    with suppress(TooLargeError):
        for board in all_boards(rules, rules.roles[0]):
            Mind(agent, lambda: 1).prepare(board, start)
