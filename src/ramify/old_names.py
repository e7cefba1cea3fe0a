"""Old names that users have stored: in agent texts, game and strategy files, run files and scripts.

Every old name is accepted for ever, with a note. Run files keep the old ones: ``stored_text`` turns a text into the
form that digests and comparisons of stored runs use. ``import ramify`` reads this file, so it imports little.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar

# Agent texts: parameters and their values, strategies. Several parameters may have had one name.
PARAMETERS = {
    "simultaneous": "at_once",
    "batch_size": "lanes",
    "initial": "start",
    "max_length": "longest",
    "min_visits": "threshold",
    "seconds_per_move": "each",
    "min_seconds": "least",
    "max_seconds": "most",
    "divisor": "part",
    "single_player": "alone",
    "sign_error": "slip",
    "wait_for_samples": "samples",
}
VALUES = {
    "joint": "jointly",
    "turn_based": "in_turns",
    "open_loop": "open",
}
STRATEGIES = {
    "chain": "in_order",
    "quality": "reward_is_quality",
}
# Game files: parts, and methods of a game's Python class.
GAME_PARTS = {
    "MAX_CHANCE_OUTCOMES": "MAX_CHANCES",
    "chance_outcomes": "chances",
    "exact_length_playout": "timed_playout",
    "max_chance_outcomes": "max_chances",
    "play_joint": "play_all",
    "published_heuristic": "published",
    "winning_move": "winning",
}
GAME_METHODS = {"chance_outcomes": "chances"}
PYTHON_RULES = {"chance_outcomes": "chances", "play_joint": "play_all", "simultaneous": "at_once"}
# Options of commands, by command: the old one and the new one. Every command with the new one accepts those of "".
OPTIONS = {
    "": {"--accept-change": "--accept-edits"},
    "check-game": {"--plays": "--games"},
    "kilothon": {
        "--agents": "--agent",
        "--games": "--game",
        "--minute": "--game-seconds",
        "--out": "--run",
        "--published-sign": "--as-published",
    },
}
# Modules, by the old package. A module that was split has no new name.
MODULES = {
    "agents": {
        "budget": "agents.budgets.budget",
        "clock": "agents.budgets.clock",
        "perft": "agents.checking.perft",
        "report": "agents.search.report",
        "searcher": "agents.search.search",
        "shown_tree": "agents.search.tree_view",
        "side_limits": "agents.budgets.player_limits",
        "survey": "agents.checking.survey",
    },
    "arena.statistics": {
        "bootstrap": "statistics.bootstrap",
        "inference": "statistics.inference",
        "multinomial": "statistics.multinomial",
        "pairs": "statistics.pairs",
        "ratings": "statistics.ratings",
        "roots": "statistics.brent",
        "sprt": "statistics.sprt",
        "texts": "statistics.format",
    },
    "bandits": {"running": "bandits.runner", "spending": "bandits.allocations"},
    "bridges": {"benchmark": "bench.speed"},
    "cli": {"common": "cli.shared_options"},
    "core.choosing": {
        "at_random": "core.playouts.random_policy",
        "by_averages": "core.playouts.average_policy",
        "by_grams": "core.playouts.ngram_policy",
        "by_replies": "core.playouts.reply_policy",
        "by_wins": "core.playouts.decisive_policy",
    },
    "core.engine": {
        "amaf": "core.hooks.amaf",
        "averages": "core.playouts.average_table",
        "control_variates": "strategies.control_variates",
        "episode": "core.search.episode",
        "halving": "core.shapes.shot_rounds",
        "hashed": "core.playouts.hash_table",
        "learning": "core.hooks.policy_learning",
        "outcome": "core.search.winner",
        "perft": "core.tools.perft",
        "plan": "core.search.plan",
        "position_hash": "core.numbers.hash128",
        "positions": "core.shapes.transpositions",
        "priors": "core.hooks.priors",
        "proving": "core.hooks.proofs",
        "raw_scores": "core.search.raw_scores",
        "survey": "core.tools.survey",
        "tree": "core.search.tree",
        "turns": "core.playouts.context",
    },
    "experiments": {
        "claims": "experiments.framework.claims",
        "contest_games": "experiments.trials.kilothon_games",
        "curves": "experiments.figures.curves",
        "estimates": "experiments.framework.estimates",
        "experiment": "experiments.framework.experiment",
        "findings": "experiments.framework.findings",
        "forest": "experiments.figures.forest",
        "matches": "experiments.trials.paired_games",
        "page": "experiments.framework.page",
        "plan": "experiments.framework.plan",
        "position": "experiments.papers.gudmundsson_2013.position",
        "published": "experiments.framework.published",
        "published_cells": "experiments.framework.published_cells",
        "ratios": "experiments.framework.ratios",
        "registry": "experiments.framework.registry",
        "reproduce": "experiments.framework.reproduce",
        "strips": "experiments.figures.strips",
        "tree_trials": "experiments.trials.tree",
        "work": "experiments.framework.work",
    },
    "experiments.robins": {"decisive": "experiments.papers.perick_2012.decisive"},
    "experiments.simulation_quality": {"correlations": "experiments.papers.pepels_2014.correlations"},
    "ggp": {"interpreted": "ggp.interpreted_game", "sheets": "ggp.rulesheets"},
    "players.ggp": {"boards": "players.ggp.role_games"},
    "runs": {"plan": "runs.run_plan"},
    "strategies": {
        "averaging": "strategies.average_table",
        "kinds": "strategies.base",
        "move_by_move": "strategies.policy_playout",
        "portions": "strategies.budget_parts",
    },
}
# Names in modules: by module, the new name of each old one.
NAMES = {
    "ramify": {"EVERYBODY": "SIMULTANEOUS"},
    "ramify.agents.budgets.player_limits": {"SideLimits": "PlayerLimits"},
    "ramify.bandits": {"Result": "BanditResult"},
    "ramify.bandits.runner": {"Result": "BanditResult"},
    "ramify.cli.shared_options": {"saying_when_compiling": "announcing_compilation"},
    "ramify.core.kernels.compiling": {"lean": "jit_without_refcounts", "watching_compilation": "on_compilation"},
    "ramify.core.search.episode": {"MOST_TRACED": "MAX_TRACE"},
    "ramify.core.search.tree": {
        "EVERYBODY": "SIMULTANEOUS",
        "MOST_HIDDEN": "MAX_HIDDEN",
        "MOST_PLAYERS": "MAX_PLAYERS",
        "SPARE": "PADDING_NODES",
        "arrange": "reorder_children",
    },
    "ramify.experiments.framework.claims": {
        "agrees": "matches_published",
        "corrected": "judge_family",
        "judged": "judge",
        "nothing": "no_gain",
        "together": "all_hold",
    },
    "ramify.experiments.framework.estimates": {"shown": "format_interval"},
    "ramify.experiments.framework.experiment": {"Measured": "PointResult"},
    "ramify.experiments.framework.findings": {"Drawing": "FigureSpec", "Numbers": "DataTable"},
    "ramify.experiments.framework.work": {"Chunk": "TrialChunk"},
    "ramify.experiments.trials.paired_games": {"GamesWonOrLost": "WinLossGames"},
    "ramify.ggp.interpreted_game": {"interpreted": "interpreted_game"},
    "ramify.ggp.rules": {"Rules": "Rulesheet"},
    "ramify.players.ggp.client": {"ask": "send_message"},
    "ramify.players.ggp.role_games": {"all_boards": "role_games"},
    "ramify.runs.jobs": {"carried_out": "run_job"},
    "ramify.strategies.average_table": {"Averages": "AverageTable"},
    "ramify.strategies.base": {
        "Choosing": "BoundPlayoutPolicy",
        "Fitted": "BoundStrategy",
        "FittedBackup": "BoundBackup",
        "Halved": "HalvingProgress",
        "Halving": "HalvingSpec",
        "Learning": "PlayoutTables",
        "MOST_PLIES": "MAX_PLIES",
        "Table": "LearnedTable",
    },
    "ramify.strategies.budget_parts": {"left": "remaining"},
    "ramify.strategies.constants": {
        "Chance": "Probability",
        "Limits": "ValueRange",
        "NotNegative": "NonNegative",
        "Share": "Fraction",
    },
    "ramify.strategies.policy_playout": {
        "UNIFORMLY": "UNIFORM_FALLBACK",
        "MoveByMove": "PolicyPlayout",
        "fitted": "bind_playout",
        "innermost_limit": "lowest_limit",
        "refuse_joint_turns": "reject_simultaneous",
    },
}
# Members of strategies, by base class: users' subclasses define them, and call those of ours.
MEMBERS = {
    "Allocation": {
        "brings": "default_strategies",
        "decides": "chooses_move",
        "fixed": "required_roles",
        "halves": "tree_halving",
        "looks": "inspects_root",
    },
    "Backup": {"fit": "bind"},
    "LearnedTable": {"age": "decay", "forget": "clear"},
    "Playout": {"choosing": "policy", "fit": "bind", "fit_timed": "bind_exact_length"},
    "Recommendation": {
        "by_visits": "returns_most_visited",
        "extension": "extra_budget",
        "mixes": "uses_average_strategy",
    },
    "Reward": {
        "fit": "bind",
        "move_on": "on_new_root",
        "timed": "needs_exact_length",
        "warmed_up": "on_warm_up_end",
    },
    "Strategy": {"flies": "batchable", "instead": "fallback", "needs_all": "needs_every_part"},
    "Timing": {"exact": "uncapped", "extended": "extended_seconds", "looks": "inspects_search"},
    "Updates": {"describe": "write_fields"},
}
# Packages that were modules: where each of their names is now.
SPLIT = {
    "ramify.experiments.trials": {
        "PositionTrials": "ramify.experiments.trials.position",
        "powers": "ramify.experiments.trials.position",
    },
}

_STORED = [(re.compile(rf"\b{new}(?==)"), old) for new, old in PARAMETERS.items()]
_STORED += [(re.compile(rf"(?<==){new}\b(?![(:])"), old) for new, old in VALUES.items()]
_STORED += [(re.compile(rf"(?<==){new}\b"), old) for new, old in STRATEGIES.items()]


def stored_text(text: str) -> str:
    """An agent's text with the names that runs were first stored under."""
    for pattern, old in _STORED:
        text = pattern.sub(old, text)
    return text


def current_name(name: str, known: Iterable[str], table: dict[str, str]) -> str:
    """Return what ``name`` is called now: one of ``known``, or ``name`` itself. Warn if it is an old name."""
    known = tuple(known)
    if name in known:
        return name
    new = next((one for one in known if table.get(one) == name), None)
    if new is None:
        return name
    note(name, new)
    return new


def note(old: str, new: str, stacklevel: int = 2) -> None:
    """Warn that a name has changed."""
    warnings.warn(f"'{old}' is now called '{new}'", DeprecationWarning, stacklevel=stacklevel + 1)


def old_attributes(module: str) -> Callable[[str], Any]:
    """Return a module's ``__getattr__`` that finds its names by their old ones."""

    def find(name: str) -> Any:
        new = NAMES[module].get(name)
        if new is None:
            raise AttributeError(f"module '{module}' has no attribute '{name}'")
        note(f"{module}.{name}", new, stacklevel=3)
        return getattr(sys.modules[module], new)

    return find


C = TypeVar("C", bound=type)


def old_members(**new_names: str) -> Callable[[C], C]:
    """Let a class and its objects be asked by old names: ``@old_members(data="to_dict")``."""

    def add(kind: C) -> C:
        for old, new in new_names.items():
            setattr(kind, old, _OldMember(old, new))
        return kind

    return add


class _OldMember:
    """A descriptor that returns the member of the new name, of an object or (class methods) of the class."""

    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def __get__(self, instance: object, owner: type) -> Any:
        note(f"{owner.__name__}.{self.old}", self.new, stacklevel=2)
        return getattr(owner if instance is None else instance, self.new)


def old_fields(**new_names: str) -> Callable[[C], C]:
    """Let a dataclass be built and asked by old names of its fields: ``@old_fields(tried="attempts")``."""

    def add(kind: C) -> C:
        build = kind.__init__  # type: ignore[misc]

        @wraps(build)
        def init(self: object, *args: Any, **keywords: Any) -> None:
            for old in keywords.keys() & new_names.keys():
                note(f"{kind.__name__}({old}=...)", new_names[old])
                keywords[new_names[old]] = keywords.pop(old)
            build(self, *args, **keywords)

        kind.__init__ = init  # type: ignore[misc]
        return old_members(**new_names)(kind)

    return add


def adopt_old_members(kind: type, **new_names: str) -> None:
    """Let a user's class define members by old names; for ``__init_subclass__``."""
    for old, new in new_names.items():
        if old in vars(kind) and new not in vars(kind):
            note(f"{kind.__name__}.{old}", new, stacklevel=4)
            setattr(kind, new, vars(kind)[old])
