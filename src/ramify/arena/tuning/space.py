"""Ranges in an agent's text: ``uct(c=0.1..2.0)``, ``uct(c=log(0.01..10))``, ``mcts(recommend={max|robust})``.

The grammar reads ``0.1..2.0`` and ``{max|robust}`` as names, so a text with ranges is parsed like any other; ranges are
then found among the names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ramify.contract.registry import is_path
from ramify.errors import RamifyError
from ramify.grammar import Call, format_value, number_of, parse

NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
RANGE = re.compile(rf"({NUMBER})\.\.({NUMBER})")
MAX_CHOICES = 1000  # all are tried before the first game, and no search learns from so many
DIGITS = 4  # significant digits of a tried value: finer steps are lost in the noise of the games

Value = int | float | bool | str | Call


@dataclass(frozen=True)
class Range:
    """Numbers from ``low`` to ``high``; integers if both ends are; ``log``: on a logarithmic scale."""

    name: str
    low: float
    high: float
    log: bool = False

    @property
    def whole(self) -> bool:
        """Whether only integers are tried."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    def ask(self, trial: Any) -> Value:
        if self.whole:
            return int(trial.suggest_int(self.name, self.low, self.high, log=self.log))
        value = trial.suggest_float(self.name, self.low, self.high, log=self.log)
        return float(min(self.high, max(self.low, float(f"{value:.{DIGITS}g}"))))

    def extremes(self) -> tuple[Value, ...]:
        """Values that must be valid."""
        return self.low, self.high

    def coordinate(self, value: Any) -> tuple[float, ...]:
        """Position of a value in the range, in [0, 1]."""
        scale = math.log if self.log else float
        return ((scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low)),)


@dataclass(frozen=True)
class CategoricalRange:
    """A choice between several values."""

    name: str
    values: tuple[Value, ...]

    def ask(self, trial: Any) -> Value:
        texts = [format_value(value) for value in self.values]
        return self.values[texts.index(trial.suggest_categorical(self.name, texts))]

    def extremes(self) -> tuple[Value, ...]:
        """Values that must be valid."""
        return self.values

    def coordinate(self, value: Any) -> tuple[float, ...]:
        """Return a corner per value, all at distance 1 from each other."""
        return tuple(math.sqrt(0.5) * (value == one) for one in self.values)


Parameter = Range | CategoricalRange


class Space:
    """An agent's text with ranges in it."""

    def __init__(self, text: str) -> None:
        self._tree = parse(text)
        found = dict(_find(self._tree, ""))
        self.parameters: tuple[Parameter, ...] = tuple(found.values())
        if not found:
            raise RamifyError(
                f"'{text}' has no range to tune: use e.g. uct(c=0.1..2.0), uct(c=log(0.01..10)) or name={{a|b}}"
            )

    def __str__(self) -> str:
        return str(self._tree)

    def ask(self, trial: Any) -> dict[str, Value]:
        return {parameter.name: parameter.ask(trial) for parameter in self.parameters}

    def agent(self, values: Mapping[str, Value]) -> str:
        return str(_fill(self._tree, "", values))

    def extreme_agents(self) -> Iterator[tuple[Parameter, str]]:
        """Yield agents in which one parameter takes each extreme value and the others their first."""
        first = {parameter.name: parameter.extremes()[0] for parameter in self.parameters}
        for parameter in self.parameters:
            for value in parameter.extremes():
                yield parameter, self.agent({**first, parameter.name: value})

    def coordinates(self, values: Mapping[str, Value]) -> tuple[float, ...]:
        return tuple(x for parameter in self.parameters for x in parameter.coordinate(values[parameter.name]))


def _below(call: Call, path: str) -> Iterator[tuple[str, str | None, Value]]:
    for position, (key, value) in enumerate(call.arguments, start=1):
        yield f"{path}{key or position}", key, value


def _find(call: Call, path: str) -> Iterator[tuple[str, Parameter]]:
    for name, _, value in _below(call, path):
        if isinstance(value, Call):
            parameter = _parameter(name, value)
            if parameter is None:
                yield from _find(value, f"{name}.")
            else:
                yield name, parameter


def _fill(call: Call, path: str, values: Mapping[str, Value]) -> Call:
    return Call(
        call.name,
        tuple(
            (
                key,
                values[name]
                if name in values
                else _fill(value, f"{name}.", values)
                if isinstance(value, Call)
                else value,
            )
            for name, key, value in _below(call, path)
        ),
    )


def _parameter(name: str, value: Call) -> Parameter | None:
    if value.name == "log" and len(value.arguments) == 1 and isinstance(value.arguments[0][1], Call):
        return _range(name, value.arguments[0][1].name, log=True)
    if value.arguments or is_path(value.name):
        return None
    if value.name.startswith("{"):
        return _choice(name, value.name)
    return _range(name, value.name) if ".." in value.name else None


def _range(name: str, text: str, *, log: bool = False) -> Range:
    found = RANGE.fullmatch(text)
    if found is None:
        raise RamifyError(f"invalid range {name}={text}: use e.g. {name}=0.1..2.0 or {name}=1..8")
    low, high = map(number_of, found.groups())
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise RamifyError(f"empty range {name}={text}: the first end must be below the second")
    if log and low <= 0:
        raise RamifyError(f"invalid range {name}=log({text}): a logarithmic range must begin above 0")
    return Range(name, low, high, log)


def _choice(name: str, text: str) -> CategoricalRange:
    words = text[1:-1].split("|")
    if len(words) > MAX_CHOICES:
        raise RamifyError(f"{name} has {len(words):,} choices: use at most {MAX_CHOICES:,}, or a range of numbers")
    if not text.endswith("}") or len(set(words)) < 2 or "" in words or len(set(words)) < len(words):
        raise RamifyError(f"invalid choice {name}={text}: use two or more different words, e.g. {{a|b}}")
    return CategoricalRange(name, tuple(parse(f"one({word})").arguments[0][1] for word in words))
