"""Finds selection policies: built-in ones by scanning the folder ``selection``, a user's by the path of a file."""

import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FunctionType, ModuleType

from ramify.contract.registry import import_file, is_path, resolve_file
from ramify.errors import RamifyError, suggestion
from ramify.grammar import Call, bind
from ramify.strategies.name_hints import SELECT, hint_for_other_role
from ramify.strategies.policy.policy import LEARNING_FUNCTIONS, Policy, policy

PACKAGE = "ramify.strategies.selection"
FOLDER = Path(__file__).parents[1] / "selection"


@dataclass(frozen=True)
class Selection:
    """A selection policy with its constants, in the policy's order."""

    name: str  # as written
    constants: tuple[tuple[str, float | None], ...]  # None: not given

    @property
    def is_users(self) -> bool:
        """Whether it is in a user's file."""
        return is_path(self.name.partition(":")[0])

    @property
    def policy(self) -> Policy:
        return named(self.name)


@lru_cache
def policies() -> dict[str, Policy]:
    """Return all built-in policies by name: the public functions in ``selection``."""
    found: dict[str, Policy] = {}
    for info in pkgutil.iter_modules([str(FOLDER)]):
        functions = functions_of(importlib.import_module(f"{PACKAGE}.{info.name}"))
        found |= {name: policy(function, name) for name, function in functions.items()}
    return dict(sorted(found.items()))


def functions_of(module: ModuleType) -> dict[str, FunctionType]:
    """Return the functions of a module that are policies: its public ones, except learning functions of others."""
    own = {
        name: function
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    learning = {name + ending for name in own for ending in LEARNING_FUNCTIONS}
    return {name: function for name, function in own.items() if name not in learning}


def named(name: str) -> Policy:
    """Return the policy called ``name``: a built-in one, or a user's ``./file.py:function``."""
    if is_path(name.partition(":")[0]):
        return from_file(name)
    try:
        return policies()[name]
    except KeyError:
        hint = hint_for_other_role(name, SELECT) or suggestion(name, policies())
        raise RamifyError(f"unknown selection policy '{name}': {hint}") from None


def from_file(name: str) -> Policy:
    """Return a user's policy. The function's name is optional if the file has only one."""
    file, _, wanted = name.partition(":")
    found = functions_of(import_file(str(resolve_file(file))))
    if not wanted and len(found) == 1:
        (wanted,) = found
    if not wanted:
        several = f"name one, e.g. {file}:{next(iter(found))}" if found else "a policy is a public function"
        raise RamifyError(f"{file} has {len(found)} selection policies: {several}")
    if wanted not in found:
        raise RamifyError(f"{file} has no selection policy '{wanted}': {suggestion(wanted, found)}")
    return _policy(found[wanted], wanted)


@lru_cache
def _policy(function: FunctionType, name: str) -> Policy:
    """Return the policy of a user's function. Other functions of its file are not checked, so they may be invalid."""
    return policy(function, name)


def resolve(call: Call) -> Selection:
    """Return the policy that a call names, with its constants."""
    found = named(call.name)
    given = bind(call, {constant.name: constant.default for constant in found.constants}, "selection policy")
    numbers = tuple((constant.name, constant.number(given[constant.name])) for constant in found.constants)
    return Selection(call.name, numbers)
