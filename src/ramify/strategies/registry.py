"""Finds strategies: built-in ones by scanning the role's folder, a user's by the path of a file.

Selection policies are plain functions and have their own registry (``strategies.policy.registry``).
"""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
from collections.abc import Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_type_hints

from ramify.contract.registry import import_file, is_path
from ramify.errors import RamifyError, suggestion
from ramify.grammar import Call, bind, format_value
from ramify.old_names import STRATEGIES, VALUES, current_name
from ramify.paths import is_file
from ramify.strategies.base import STRATEGY_CLASSES, Strategy
from ramify.strategies.constants import ValueRange, limits_in
from ramify.strategies.name_hints import WORDS, hint_for_other_role, with_article

FOLDER = Path(__file__).parent
MAX_VALUE = 1 << 60  # of any number in an agent's text: far from overflow of int64 or float64

NOT_NEGATIVE = ValueRange(0, open=False)


@cache
def strategies(role: str) -> dict[str, type[Strategy]]:
    """Return the built-in strategies of a role, by name."""
    found: dict[str, type[Strategy]] = {}
    for info in pkgutil.iter_modules([str(FOLDER / role)]):
        found |= of_module(importlib.import_module(f"ramify.strategies.{role}.{info.name}"), role)
    return dict(sorted(found.items()))


def of_module(module: ModuleType, role: str) -> dict[str, type[Strategy]]:
    """Return the strategies that a module defines for a role: its own dataclasses."""
    found: dict[str, type[Strategy]] = {}
    for one in vars(module).values():
        if inspect.isclass(one) and issubclass(one, STRATEGY_CLASSES[role]) and one.__module__ == module.__name__:
            found |= {one.title(): one} if is_dataclass(one) else {}
    return found


def named(role: str, name: str) -> type[Strategy]:
    """Return the strategy called ``name``: a built-in one, or a user's ``./file.py:name``."""
    word = WORDS.get(role, role)
    file, _, wanted = name.partition(":")
    if is_path(file):
        known = of_module(import_file(file), role)
        if not wanted and len(known) == 1:
            return next(iter(known.values()))
        if wanted not in known:
            raise RamifyError(f"{file} has no {word} '{wanted}': {suggestion(wanted, known)}")
        return known[wanted]
    own = _of_its_own_file(role, name)
    if own is not None:
        return own
    name = current_name(name, strategies(role), STRATEGIES)
    if name not in strategies(role):
        hint = hint_for_other_role(name, role) or suggestion(name, strategies(role))
        raise RamifyError(f"unknown {word} '{name}': {hint}")
    return strategies(role)[name]


@lru_cache
def _of_its_own_file(role: str, name: str) -> type[Strategy] | None:
    """Return a built-in strategy from the file of the same name, as most have; importing all of them takes 9 ms."""
    if not is_file(FOLDER / role / f"{name}.py"):
        return None
    return of_module(importlib.import_module(f"ramify.strategies.{role}.{name}"), role).get(name)


def resolve(role: str, value: Any) -> Any:
    """Return the strategy that a call names, with its parameters."""
    if isinstance(value, Call) and not value.arguments and not is_path(value.name.partition(":")[0]):
        return _with_defaults(role, value)
    return _chosen(role, value)


@lru_cache(256)
def _with_defaults(role: str, value: Call) -> Any:
    """Return a built-in strategy with default parameters. Strategies are immutable, so agents share them."""
    return _chosen(role, value)


def _chosen(role: str, value: Any) -> Any:
    word = WORDS.get(role, role)
    if not isinstance(value, Call):
        raise RamifyError(f"{with_article(word)} must be written like {role}=name(key=value), not '{value}'")
    found = named(role, value.name)
    defaults: dict[str, Any] = {}
    for field in fields(found):  # type: ignore[arg-type]
        if field.default is MISSING:
            raise RamifyError(f"'{field.name}' of {word} '{value.name}' has no default: every parameter needs one")
        defaults[field.name] = field.default
    given = bind(value, defaults, word)
    limits = limits_of(found)
    return found(**{key: _field(role, given[key], default, key, limits[key]) for key, default in defaults.items()})


@lru_cache
def limits_of(found: type[Strategy]) -> dict[str, ValueRange]:
    """Return the allowed range of each parameter of a strategy."""
    try:
        hints = get_type_hints(found, include_extras=True)
    except (NameError, TypeError) as error:
        raise RamifyError(f"cannot read the annotations of '{found.title()}': {error}") from None
    return {field.name: limits_in(hints[field.name]) or NOT_NEGATIVE for field in fields(found)}  # type: ignore[arg-type]


def _field(role: str, value: Any, default: Any, name: str, limits: ValueRange) -> Any:
    """Parse a parameter. The type of its default decides: bool, text, number, or a strategy of the same role."""
    if isinstance(default, Strategy):
        return default if value is default else resolve(role, value)
    if isinstance(default, bool):
        return parse_bool(value, name)
    if isinstance(default, str):  # a bare word, such as a move's name, is parsed as a call without arguments
        return str(value)
    return parse_number(value, type(default), name, limits)


def parse_number(value: Any, kind: type, name: str, limits: ValueRange | None = None, *, infinite: bool = False) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or (kind is int and not isinstance(value, int)):
        raise RamifyError(f"'{name}' must be a {'whole ' if kind is int else ''}number, not '{value}'")
    if not (-MAX_VALUE < value < MAX_VALUE or (infinite and abs(value) == math.inf)):
        raise RamifyError(f"'{name}' must be between -2**60 and 2**60, not {value}")
    if limits and not limits.contains(value):
        raise RamifyError(f"'{name}' must be {limits}, not {value}")
    return kind(value)


def parse_word(words: Sequence[str], value: Any, name: str) -> str:
    word = current_name(str(value), words, VALUES)
    if word not in words:
        raise RamifyError(f"'{name}' must be {', '.join(words[:-1])} or {words[-1]}, not '{format_value(value)}'")
    return word


def parse_bool(value: Any, name: str) -> bool:
    if not isinstance(value, bool):
        raise RamifyError(f"'{name}' must be true or false, not '{value}'")
    return value
