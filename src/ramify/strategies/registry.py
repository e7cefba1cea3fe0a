"""Finding strategies of every kind: ours by scanning the kind's folder, a user's by the path of a file.

Selection policies are plain functions and have a registry of their own (``strategies.policy.registry``).
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
from ramify.strategies.base import STRATEGY_CLASSES, Strategy
from ramify.strategies.constants import ValueRange, limits_in
from ramify.strategies.name_hints import WORDS, hint_for_other_role, with_article

FOLDER = Path(__file__).parent
MAX_VALUE = 1 << 60  # of any number in an agent: far from the end of 64 bits, and nothing times it is infinite

NOT_NEGATIVE = ValueRange(0, open=False)


@cache
def strategies(role: str) -> dict[str, type[Strategy]]:
    """Every strategy of a kind, by name."""
    found: dict[str, type[Strategy]] = {}
    for info in pkgutil.iter_modules([str(FOLDER / role)]):
        found |= of_module(importlib.import_module(f"ramify.strategies.{role}.{info.name}"), role)
    return dict(sorted(found.items()))


def of_module(module: ModuleType, role: str) -> dict[str, type[Strategy]]:
    """The strategies of a kind in one file: its own dataclasses."""
    found: dict[str, type[Strategy]] = {}
    for one in vars(module).values():
        if inspect.isclass(one) and issubclass(one, STRATEGY_CLASSES[role]) and one.__module__ == module.__name__:
            found |= {one.title(): one} if is_dataclass(one) else {}
    return found


def named(role: str, name: str) -> type[Strategy]:
    """The strategy of that name: one of ours, or ``./file.py:name`` of the user's."""
    word = WORDS.get(role, role)
    file, _, wanted = name.partition(":")
    if is_path(file):
        known = of_module(import_file(file), role)
        if not wanted and len(known) == 1:
            return next(iter(known.values()))
        if wanted not in known:
            raise RamifyError(f"{file} has no {word} '{wanted}'; {suggestion(wanted, known)}")
        return known[wanted]
    own = _of_its_own_file(role, name)
    if own is not None:
        return own
    name = current_name(name, strategies(role), STRATEGIES)
    if name not in strategies(role):
        hint = hint_for_other_role(name, role) or suggestion(name, strategies(role))
        raise RamifyError(f"there is no {word} '{name}'; {hint}")
    return strategies(role)[name]


@lru_cache
def _of_its_own_file(role: str, name: str) -> type[Strategy] | None:
    """One of ours that has a file of its name, as most do; to import the others takes 9 ms."""
    if not (FOLDER / role / f"{name}.py").is_file():
        return None
    return of_module(importlib.import_module(f"ramify.strategies.{role}.{name}"), role).get(name)


def resolve(role: str, value: Any) -> Any:
    """The strategy that a call names, with the parameters it gives."""
    if isinstance(value, Call) and not value.arguments and not is_path(value.name.partition(":")[0]):
        return _with_defaults(role, value)
    return _chosen(role, value)


@lru_cache(256)
def _with_defaults(role: str, value: Call) -> Any:
    """One of ours with the parameters of its defaults: strategies never change, and agents name a few of them."""
    return _chosen(role, value)


def _chosen(role: str, value: Any) -> Any:
    word = WORDS.get(role, role)
    if not isinstance(value, Call):
        raise RamifyError(f"{with_article(word)} is a name like {role}=name(key=value), not '{value}'")
    found = named(role, value.name)
    defaults: dict[str, Any] = {}
    for field in fields(found):  # type: ignore[arg-type]
        if field.default is MISSING:
            raise RamifyError(f"'{field.name}' of {word} '{value.name}' has no default; every parameter needs one")
        defaults[field.name] = field.default
    given = bind(value, defaults, word)
    limits = limits_of(found)
    return found(**{key: _field(role, given[key], default, key, limits[key]) for key, default in defaults.items()})


@lru_cache
def limits_of(found: type[Strategy]) -> dict[str, ValueRange]:
    """Where each parameter of a strategy may lie."""
    try:
        hints = get_type_hints(found, include_extras=True)
    except (NameError, TypeError) as error:
        raise RamifyError(f"the annotations of '{found.title()}' cannot be read: {error}") from None
    return {field.name: limits_in(hints[field.name]) or NOT_NEGATIVE for field in fields(found)}  # type: ignore[arg-type]


def _field(role: str, value: Any, default: Any, name: str, limits: ValueRange) -> Any:
    """A parameter as its default says: true or false, text, a number, or a strategy of the same kind."""
    if isinstance(default, Strategy):
        return default if value is default else resolve(role, value)
    if isinstance(default, bool):
        return parse_bool(value, name)
    if isinstance(default, str):  # a bare word, such as the name of a move, reads as a call without arguments
        return str(value)
    return parse_number(value, type(default), name, limits)


def parse_number(value: Any, kind: type, name: str, limits: ValueRange | None = None, *, infinite: bool = False) -> Any:
    """A number as a user wrote it, checked."""
    if isinstance(value, bool) or not isinstance(value, int | float) or (kind is int and not isinstance(value, int)):
        raise RamifyError(f"'{name}' must be a {'whole ' if kind is int else ''}number, not '{value}'")
    if not (-MAX_VALUE < value < MAX_VALUE or (infinite and abs(value) == math.inf)):
        raise RamifyError(f"'{name}' must be a number of ordinary size, not {value}")
    if limits and not limits.contains(value):
        raise RamifyError(f"'{name}' must be {limits}, not {value}")
    return kind(value)


def parse_word(words: Sequence[str], value: Any, name: str) -> str:
    """One of some words as a user wrote it, checked."""
    word = current_name(str(value), words, VALUES)
    if word not in words:
        raise RamifyError(f"'{name}' must be {', '.join(words[:-1])} or {words[-1]}, not '{format_value(value)}'")
    return word


def parse_bool(value: Any, name: str) -> bool:
    """True or false as a user wrote it, checked."""
    if not isinstance(value, bool):
        raise RamifyError(f"'{name}' must be true or false, not '{value}'")
    return value
