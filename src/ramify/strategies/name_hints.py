"""Hints for names used in the wrong role: what the name is, and how to write it."""

from ramify.contract.registry import names as games
from ramify.strategies.base import STRATEGY_CLASSES

AGENT, SELECT = "agent", "select"  # besides the roles in STRATEGY_CLASSES
POLICIES_OF = {"uct": "ucb1", "mcts": "ucb1", "fuego_sos": "rave", "sr_cr": "ucb1", "cadiaplayer": "ucb1"}  # by agent
PLAYERS = {"external": "another program", "gtp": "another program", "scripted": "a game's own script"}  # not agents
WORDS = {"recommend": "recommendation", "updates": "kind of updates"}  # what errors call a role, if not by its name


def with_article(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def hint_for_other_role(name: str, role: str) -> str:
    """Return a clause that says what ``name`` is, if it is not a ``role`` but something else; otherwise ''."""
    from ramify.strategies.policy.registry import policies  # noqa: PLC0415  (the registries import this file)
    from ramify.strategies.registry import strategies  # noqa: PLC0415

    if role == AGENT and name in PLAYERS:
        return f"'{name}' is {PLAYERS[name]}, which plays in matches, tournaments and `ramify play` only"
    if role == SELECT and name in POLICIES_OF:
        return f"'{name}' is an agent, whose selection policy is '{POLICIES_OF[name]}'"
    if role not in (SELECT, AGENT) and name in POLICIES_OF:
        return f"'{name}' is an agent"
    found = {
        other: WORDS.get(other, other) for other in STRATEGY_CLASSES if other != role and name in strategies(other)
    }
    if role != SELECT and name in policies():
        found[SELECT] = "selection policy"
    for other, word in found.items():
        written = f"mcts({other}={name})" if role == AGENT else f"{other}={name}"
        return f"'{name}' is {with_article(word)}: write {written}"
    return f"'{name}' is a game" if name in games() else ""
