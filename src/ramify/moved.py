"""Old names of modules that users' files import: they still import, with a ``DeprecationWarning`` naming the new place.

``import ramify`` installs the finder, so this file imports little.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING

from ramify.old_names import MODULES, SPLIT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

MOVED = {
    f"ramify.{package}.{old}": f"ramify.{new}" for package, modules in MODULES.items() for old, new in modules.items()
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
    if name not in SPLIT[package]:
        raise AttributeError(f"module '{package}' has no attribute '{name}'")
    module = SPLIT[package][name]
    warnings.warn(f"{package}.{name} is now {module}.{name}", DeprecationWarning, stacklevel=3)
    return getattr(importlib.import_module(module), name)
