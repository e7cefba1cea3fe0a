"""Everything that a player needs, compiled before the first match begins."""

from __future__ import annotations

from contextlib import suppress

from ramify.agents.agent import Agent
from ramify.ggp.grounding import TooLargeError
from ramify.ggp.interpreter import Interpreter
from ramify.ggp.propnet_cache import build
from ramify.ggp.rules import Rulesheet
from ramify.ggp.rulesheets import rulesheet
from ramify.players.ggp.match_search import MatchSearch
from ramify.players.ggp.role_games import role_games


def warm(agent: Agent) -> None:
    """Search a small game in every way; an agent that cannot play rulesheets is refused now."""
    rules = Rulesheet.from_text(rulesheet("tictactoe"), "tictactoe")
    start = Interpreter(rules).initial()
    with suppress(TooLargeError):  # a machine that is too busy now may be less so in a match
        build(rules)  # also if it is kept on disk: compiling what makes networks would stop the clockwork of a match
    with suppress(TooLargeError):
        for board in role_games(rules, rules.roles[0]):
            MatchSearch(agent, lambda: 1).prepare(board, start)
