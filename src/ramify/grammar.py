"""One small grammar for games, agents and strategies: ``name(key=value, ...)``.

A value is a number, ``true`` or ``false``, a quoted string, or a name with or without arguments. A name may be the path
of a user's file, ``./mine.py`` or ``./mine.py:my_rule``. A clock with an increment, ``60+0.5``, is also read as a name.
``parse(str(call)) == call`` holds for every ``Call``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from ramify.errors import RamifyError, suggestion
from ramify.old_names import PARAMETERS, current_name

MAX_DIGITS = 100  # of an integer; float() raises OverflowError above 308 digits, int() ValueError above 4,300
_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?inf)(?![\w./+])
    | (?P<string>"(?:[^"\\]|\\.)*")
    | (?P<name>[^\s"(),=]+)
    | (?P<mark>[(),=])
    )""",
    re.VERBOSE,
)


MAX_DEPTH = 50  # of calls in calls; those that make sense have less than ten


@dataclass(frozen=True)
class Call:
    """A name with arguments; ``key`` is None for an argument given by position."""

    name: str
    arguments: tuple[tuple[str | None, int | float | bool | str | Call], ...] = ()
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        depth = 1 + max((value.depth for _, value in self.arguments if isinstance(value, Call)), default=0)
        if depth > MAX_DEPTH:
            raise too_deep(self.name)
        object.__setattr__(self, "depth", depth)

    def __str__(self) -> str:
        if not self.arguments:
            return self.name
        inside = ", ".join(
            f"{key}={format_value(value)}" if key else format_value(value) for key, value in self.arguments
        )
        return f"{self.name}({inside})"


def too_deep(text: str) -> RamifyError:
    return RamifyError(f"'{text[:20]}...' has too many nested brackets: use at most {MAX_DEPTH}")


def format_value(value: int | float | bool | str | Call) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value)
    return str(value)


def number_of(text: str) -> int | float:
    """Convert the text of a number. An integer has at most MAX_DIGITS digits."""
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        return float(text)
    if len(text) > MAX_DIGITS:
        raise RamifyError(f"the number {text[:20]}... has too many digits: use at most {MAX_DIGITS}")
    return int(text)


def checked_integer(number: int) -> int:
    """Return an integer that does not come from a text, such as a hexadecimal one of a TOML file."""
    if abs(number) >= 10**MAX_DIGITS:
        raise RamifyError(f"a number has too many digits: use at most {MAX_DIGITS}")
    return number


@lru_cache(1024)
def parse(text: str) -> Call:
    """Parse ``text`` as one call."""
    reader = _Reader(text)
    try:
        value = reader.value()
    except RecursionError:
        raise too_deep(text) from None
    reader.end()
    if not isinstance(value, Call):
        raise RamifyError(f"'{text}' is not a name; write it like name(key=value)")
    return value


def bind(call: Call, defaults: Mapping[str, object], what: str) -> dict[str, object]:
    """Return the arguments of ``call`` by name, with defaults filled in. ``what`` names the call in errors."""
    names = list(defaults)
    result = dict(defaults)
    given: set[str] = set()
    for position, (key, value) in enumerate(call.arguments):
        if key is None:
            if position >= len(names):
                takes = f"only {', '.join(names)}" if names else "no parameters"
                raise RamifyError(f"{what} '{call.name}' got too many values: it takes {takes}")
            name = names[position]
        else:
            name = current_name(key, names, PARAMETERS)
        if name not in defaults:
            hint = suggestion(name, names) if names else "it takes none"
            raise RamifyError(f"{what} '{call.name}' has no parameter '{name}'; {hint}")
        if name in given:
            raise RamifyError(f"{what} '{call.name}' got '{name}' twice")
        given.add(name)
        result[name] = value
    return result


class _Reader:
    """Tokenizer and recursive-descent parser of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> re.Match[str] | None:
        return _TOKEN.match(self.text, self.at)

    def take(self, mark: str) -> bool:
        token = self.peek()
        if token and token["mark"] == mark:
            self.at = token.end()
            return True
        return False

    def fail(self, wanted: str) -> RamifyError:
        rest = self.text[self.at :].strip() or "the end"
        return RamifyError(f"cannot read '{self.text}': expected {wanted} before '{rest}'")

    def end(self) -> None:
        if self.text[self.at :].strip():
            raise self.fail("the end")

    def value(self) -> int | float | bool | str | Call:
        token = self.peek()
        if token is None or token["mark"]:
            raise self.fail("a name or a value")
        self.at = token.end()
        if token["number"]:
            return number_of(token["number"])
        if token["string"]:
            try:
                return str(json.loads(token["string"]))
            except ValueError:
                raise RamifyError(f'{token["string"]} is not a valid JSON string, such as "one \\"two\\""') from None
        name = token["name"]
        if name in ("true", "false"):
            return name == "true"
        return Call(name, self.arguments() if self.take("(") else ())

    def arguments(self) -> tuple[tuple[str | None, int | float | bool | str | Call], ...]:
        found: list[tuple[str | None, int | float | bool | str | Call]] = []
        while not self.take(")"):
            if found and not self.take(","):
                raise self.fail("',' or ')'")
            start = self.at
            token = self.peek()
            key = None
            if token and token["name"]:
                self.at = token.end()
                if self.take("="):
                    key = token["name"]
                else:
                    self.at = start
            found.append((key, self.value()))
        return tuple(found)
