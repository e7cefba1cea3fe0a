"""Compiles everything that a GGP player needs before its first match."""

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
    """Search a small game with interpreter and propnet. Raise if the agent cannot play rulesheets."""
    rules = Rulesheet.from_text(rulesheet("tictactoe"), "tictactoe")
    start = Interpreter(rules).initial()
    with suppress(TooLargeError):  # a busy machine; it may be faster during a match
        build(rules)  # even if cached on disk: compiling the propnet builder would block the threads of a match
    with suppress(TooLargeError):
        for role_game in role_games(rules, rules.roles[0]):
            MatchSearch(agent, lambda: 1).prepare(role_game, start)
