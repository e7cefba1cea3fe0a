"""Constants of a policy: the values that a user may write, and the number passed to the kernel.

A constant is a parameter with a default. Its annotation may limit it (``Positive``, ``NonNegative``, ``Fraction``,
``Probability``, or ``Annotated[float, ValueRange(2.0, 9.0)]``) or list words (``Literal["mean", "total"]``; the kernel
gets the index of the word). A default of None means *not given*; the kernel gets NaN.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from ramify.errors import RamifyError, suggestion
from ramify.grammar import Call
from ramify.old_names import old_attributes

MAX_VALUE = 2.0**60  # far below overflow


@dataclass(frozen=True)
class ValueRange:
    """The allowed values of a constant: (``lower``, ``upper``] if ``open``, else [``lower``, ``upper``]."""

    lower: float
    upper: float = math.inf
    open: bool = True

    def __str__(self) -> str:
        low = f"{'above' if self.open else 'at least'} {self.lower:g}"
        return low if self.upper == math.inf else f"{low} and at most {self.upper:g}"

    def contains(self, number: float) -> bool:
        return (self.lower < number if self.open else self.lower <= number) and number <= self.upper


Positive = Annotated[float, ValueRange(0.0)]
NonNegative = Annotated[float, ValueRange(0.0, open=False)]
Fraction = Annotated[float, ValueRange(0.0, 1.0)]
Probability = Annotated[float, ValueRange(0.0, 1.0, open=False)]


@dataclass(frozen=True)
class Constant:
    """One constant: its name, its default as written, and its allowed values."""

    name: str
    default: float | str | bool | None
    words: tuple[str, ...] = ()
    limits: ValueRange | None = None

    def number(self, value: Any) -> float | None:
        """Return the number for a value as a user wrote it, or None if the constant is not given and has no default."""
        if value is None and self.default is None:
            return None
        if isinstance(value, Call) and not value.arguments:
            value = value.name
        if self.words:
            if value not in self.words:
                offer = suggestion(str(value), self.words)
                raise RamifyError(f"'{self.name}' must be one of {', '.join(self.words)}, not '{value}'; {offer}")
            return float(self.words.index(value))
        if isinstance(self.default, bool):
            if not isinstance(value, bool):
                raise RamifyError(f"'{self.name}' must be true or false, not '{value}'")
            return float(value)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise RamifyError(f"'{self.name}' must be a number, not '{value}'")
        if not abs(value) < MAX_VALUE:
            raise RamifyError(f"'{self.name}' must be between -2**60 and 2**60, not {value}")
        if self.limits and not self.limits.contains(value):
            raise RamifyError(f"'{self.name}' must be {self.limits}, not {value}")
        return float(value)


def limits_in(hint: Any) -> ValueRange | None:
    """Return the range that an annotation gives, if any."""
    return next((part for part in get_args(hint) if isinstance(part, ValueRange)), None)


def constants_of(function: Callable[..., Any]) -> tuple[Constant, ...]:
    """Return the constants of a policy's function, in order."""
    try:
        hints = get_type_hints(function, include_extras=True)
    except (NameError, TypeError) as error:
        raise RamifyError(f"the annotations of policy '{function.__name__}' cannot be read: {error}") from None
    found = []
    for name, parameter in signature(function).parameters.items():
        if parameter.default is Parameter.empty:
            continue
        hint = hints.get(name)
        words = get_args(hint) if get_origin(hint) is Literal else ()
        constant = Constant(name, parameter.default, words, limits_in(hint))
        constant.number(parameter.default)  # raises if the default is not allowed
        found.append(constant)
    return tuple(found)


__getattr__ = old_attributes(__name__)
