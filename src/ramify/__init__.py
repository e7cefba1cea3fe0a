"""Ramify: a Monte-Carlo tree search laboratory and general game player."""

from ramify.agents.agent import Agent, agent
from ramify.agents.budget import Budget
from ramify.agents.report import Child, Report, TreeNode
from ramify.agents.searcher import Search, search
from ramify.bridges import load
from ramify.core.tree import CHANCE, EVERYBODY
from ramify.errors import RamifyError
from ramify.games.game import Game, Move, State
from ramify.games.registry import builtin_names as games

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "EVERYBODY",
    "Agent",
    "Budget",
    "Child",
    "Game",
    "Move",
    "RamifyError",
    "Report",
    "Search",
    "State",
    "TreeNode",
    "agent",
    "games",
    "load",
    "search",
]
