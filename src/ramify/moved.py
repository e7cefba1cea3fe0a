"""Old names of modules that users' files import: they still import, with a ``DeprecationWarning`` naming the new place.

``import ramify`` installs the finder, so this file imports little.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

# By the old package. Listed are modules that moved as a whole; one that was taken apart has no new name.
BY_PACKAGE = {
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
    "strategies": {"kinds": "strategies.base", "portions": "strategies.budget_parts"},
}
MOVED = {
    f"ramify.{package}.{old}": f"ramify.{new}"
    for package, modules in BY_PACKAGE.items()
    for old, new in modules.items()
}
# Packages that are no more. They import as empty ones, which hold the old names of their modules.
EMPTIED = {
    f"ramify.{package}"
    for package in (
        "arena.statistics",
        "core.choosing",
        "core.engine",
        "experiments.robins",
        "experiments.simulation_quality",
    )
}
# By packages that were modules: where each name is that they had.
NAMES = {
    "ramify.experiments.trials": {
        "PositionTrials": "ramify.experiments.trials.position",
        "powers": "ramify.experiments.trials.position",
    },
}


class OldNames:
    """Finds and loads modules by old names (an import hook, of the forms of ``importlib.abc``)."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Of an old name only."""
        del path, target
        if fullname in MOVED or fullname in EMPTIED:
            return ModuleSpec(fullname, self, is_package=fullname in EMPTIED)  # type: ignore[arg-type]
        return None

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python, as ``importlib`` asks."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of the new name in its place."""
        old = module.__name__
        if old in MOVED:
            warnings.warn(f"{old} is now {MOVED[old]}", DeprecationWarning, stacklevel=2)
            sys.modules[old] = importlib.import_module(MOVED[old])


def install() -> None:
    """Let Python ask for old names before it looks for files: a folder of an old name may be left with its caches."""
    sys.meta_path.insert(0, OldNames())


def moved_name(package: str, name: str) -> object:
    """What a package had under this name when it was a module, for its ``__getattr__``."""
    if name not in NAMES[package]:
        raise AttributeError(f"module '{package}' has no attribute '{name}'")
    module = NAMES[package][name]
    warnings.warn(f"{package}.{name} is now {module}.{name}", DeprecationWarning, stacklevel=3)
    return getattr(importlib.import_module(module), name)
