"""Old names of documented modules: they still import, with a ``DeprecationWarning`` that tells the new name."""

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

FRAMEWORK = (
    "claims",
    "estimates",
    "experiment",
    "findings",
    "page",
    "plan",
    "published",
    "published_cells",
    "ratios",
    "registry",
    "reproduce",
    "work",
)
ROOM = "ramify.experiments"
MOVED = {
    f"{ROOM}.{old}": f"{ROOM}.{new}"
    for old, new in {
        **{name: f"framework.{name}" for name in FRAMEWORK},
        "contest_games": "trials.kilothon_games",
        "matches": "trials.paired_games",
        "tree_trials": "trials.tree",
        "curves": "figures.curves",
        "forest": "figures.forest",
        "strips": "figures.strips",
        "position": "papers.gudmundsson_2013.position",
        "robins": "papers.perick_2012",
        "robins.decisive": "papers.perick_2012.decisive",
        "simulation_quality": "papers.pepels_2014",
        "simulation_quality.correlations": "papers.pepels_2014.correlations",
    }.items()
}


class OldNames(MetaPathFinder, Loader):
    """Finds the modules of old names. It must be asked first: old packages have the paths of new ones."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Of an old name only."""
        del path, target
        return ModuleSpec(fullname, self) if fullname in MOVED else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the module of the new name in its place."""
        old = module.__name__
        warnings.warn(f"{old} is now {MOVED[old]}", DeprecationWarning, stacklevel=2)
        sys.modules[old] = importlib.import_module(MOVED[old])


def moved_name(package: str, module: str, names: Sequence[str], name: str) -> object:
    """What a package had under this name when it was a module, for its ``__getattr__``."""
    if name not in names:
        raise AttributeError(f"module '{package}' has no attribute '{name}'")
    warnings.warn(f"{package}.{name} is now {module}.{name}", DeprecationWarning, stacklevel=3)
    return getattr(importlib.import_module(module), name)
