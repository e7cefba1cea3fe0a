"""Finding selection policies: ours by scanning the folder ``selection``, a user's by the path of a file."""

import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from ramify.contract.registry import file_named, import_file, is_path
from ramify.errors import RamifyError, nearest
from ramify.grammar import Call, bind
from ramify.strategies.hints import SELECT, other_kind
from ramify.strategies.policy.policy import HOOKS, Policy, policy

PACKAGE = "ramify.strategies.selection"
FOLDER = Path(__file__).parents[1] / "selection"


@dataclass(frozen=True)
class Selection:
    """A selection policy with its constants, in the order the policy takes them."""

    name: str  # as it was written
    constants: tuple[tuple[str, float | None], ...]  # None: not given

    @property
    def policy(self) -> Policy:
        """The policy of that name."""
        return named(self.name)


@lru_cache
def policies() -> dict[str, Policy]:
    """Every policy of that folder, by name: the public functions of its files."""
    found: dict[str, Policy] = {}
    for info in pkgutil.iter_modules([str(FOLDER)]):
        found |= policies_of(importlib.import_module(f"{PACKAGE}.{info.name}"))
    return dict(sorted(found.items()))


def policies_of(module: ModuleType) -> dict[str, Policy]:
    """The policies in one file: its own public functions, without those that learn for another."""
    own = {
        name: function
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    learning = {name + ending for name in own for ending in HOOKS}
    return {name: policy(function) for name, function in own.items() if name not in learning}


def named(name: str) -> Policy:
    """The policy of that name: one of ours, or ``./file.py:function`` of the user's."""
    if is_path(name.partition(":")[0]):
        return from_file(name)
    try:
        return policies()[name]
    except KeyError:
        hint = other_kind(name, SELECT) or nearest(name, policies())
        raise RamifyError(f"there is no selection policy '{name}'; {hint}") from None


def from_file(name: str) -> Policy:
    """A policy of the user's; the function need not be named where the file has only one."""
    file, _, wanted = name.partition(":")
    path = file_named(file)
    found = _policies_of_file(str(path), path.stat().st_mtime_ns)
    if not wanted and len(found) == 1:
        return next(iter(found.values()))
    if not wanted:
        several = f"say which, as in {file}:{next(iter(found))}" if found else "a policy is a public function"
        raise RamifyError(f"{file} has {len(found)} selection policies; {several}")
    if wanted not in found:
        raise RamifyError(f"{file} has no selection policy '{wanted}'; {nearest(wanted, found)}")
    return found[wanted]


@lru_cache
def _policies_of_file(path: str, _changed: int) -> dict[str, Policy]:
    return policies_of(import_file(path))


def chosen(call: Call) -> Selection:
    """The policy that a call names, with the constants it gives."""
    found = named(call.name)
    given = bind(call, {constant.name: constant.default for constant in found.constants}, "selection policy")
    numbers = tuple((constant.name, constant.number(given[constant.name])) for constant in found.constants)
    return Selection(call.name, numbers)
