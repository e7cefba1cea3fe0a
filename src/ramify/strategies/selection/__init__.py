"""Selection policies: which child to visit next. One family a file, found by scanning."""

import importlib
import inspect
import pkgutil
from functools import lru_cache

from ramify.errors import RamifyError, nearest
from ramify.strategies.selection.binding import Policy, policy


@lru_cache
def policies() -> dict[str, Policy]:
    """Every policy of this folder, by name: the public functions of its files."""
    found = {}
    for info in pkgutil.iter_modules(__path__):
        if info.name != "binding":
            module = importlib.import_module(f"{__name__}.{info.name}")
            for name, function in inspect.getmembers(module, inspect.isfunction):
                if function.__module__ == module.__name__ and not name.startswith("_"):
                    found[name] = policy(function)
    return found


def named(name: str) -> Policy:
    """The policy of that name."""
    try:
        return policies()[name]
    except KeyError:
        raise RamifyError(f"there is no selection policy '{name}'; {nearest(name, policies())}") from None
