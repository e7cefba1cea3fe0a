"""Ramify: a Monte-Carlo tree search laboratory and general game player.

The names below are the public API. They are imported when first used, so that ``import ramify`` (and the command
line's ``--help``) does not wait for Numba.
"""

import importlib
from typing import TYPE_CHECKING, Any

from ramify import moved
from ramify.old_names import old_attributes

if TYPE_CHECKING:
    from ramify import bandits as bandits
    from ramify.agents.agent import Agent as Agent
    from ramify.agents.agent import agent as agent
    from ramify.agents.budgets.budget import Budget as Budget
    from ramify.agents.search.report import Child as Child
    from ramify.agents.search.report import Report as Report
    from ramify.agents.search.search import Search as Search
    from ramify.agents.search.search import search as search
    from ramify.agents.search.tree_view import TreeNode as TreeNode
    from ramify.arena.matches.match import MatchResult as MatchResult
    from ramify.arena.matches.match import match as match
    from ramify.arena.matches.scale import ScaleResult as ScaleResult
    from ramify.arena.matches.scale import scale as scale
    from ramify.arena.matches.tournament import TournamentResult as TournamentResult
    from ramify.arena.matches.tournament import tournament as tournament
    from ramify.arena.tuning.result import TuneResult as TuneResult
    from ramify.arena.tuning.tune import tune as tune
    from ramify.contract.game import Game as Game
    from ramify.contract.game import Move as Move
    from ramify.contract.game import State as State
    from ramify.contract.load import load as load
    from ramify.core.search.tree import CHANCE as CHANCE
    from ramify.core.search.tree import SIMULTANEOUS as SIMULTANEOUS
    from ramify.errors import RamifyError as RamifyError
    from ramify.experiments.framework.reproduce import Reproduction as Reproduction
    from ramify.experiments.framework.reproduce import reproduce as reproduce
    from ramify.solver.solution import Solution as Solution
    from ramify.solver.solve import solve as solve

__version__ = "0.1.0"

_HOMES = {
    "CHANCE": "core.search.tree",
    "SIMULTANEOUS": "core.search.tree",
    "Agent": "agents.agent",
    "Budget": "agents.budgets.budget",
    "Child": "agents.search.report",
    "Game": "contract.game",
    "MatchResult": "arena.matches.match",
    "Move": "contract.game",
    "RamifyError": "errors",
    "Report": "agents.search.report",
    "Reproduction": "experiments.framework.reproduce",
    "ScaleResult": "arena.matches.scale",
    "Search": "agents.search.search",
    "Solution": "solver.solution",
    "State": "contract.game",
    "TournamentResult": "arena.matches.tournament",
    "TreeNode": "agents.search.tree_view",
    "TuneResult": "arena.tuning.result",
    "agent": "agents.agent",
    "bandits": "",
    "games": "",
    "load": "contract.load",
    "match": "arena.matches.match",
    "reproduce": "experiments.framework.reproduce",
    "scale": "arena.matches.scale",
    "search": "agents.search.search",
    "solve": "solver.solve",
    "tournament": "arena.matches.tournament",
    "tune": "arena.tuning.tune",
}

__all__ = list(_HOMES)

moved.install()


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        return old_attributes("ramify")(name)
    if not _HOMES[name]:  # a package; `games` can be called
        return importlib.import_module(f"ramify.{name}")
    value = getattr(importlib.import_module(f"ramify.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
