"""Budgets of one search. Limits can be combined; the first one reached stops the search."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any

from ramify.errors import RamifyError
from ramify.numpy_scalars import plain

NO_LIMIT = 1 << 61  # more than any search can spend; sums of two still fit into int64


@dataclass(frozen=True)
class Budget:
    """Limits of one search; None: no limit."""

    simulations: int | None = None
    seconds: float | None = None
    calls: int | None = None  # forward-model calls: moves played, in the tree and in playouts
    memory: int | None = None  # bytes of tree

    def __post_init__(self) -> None:
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        for name, value in given.items():
            if value is not None:
                check = checked_seconds if name == "seconds" else checked_count
                object.__setattr__(self, name, check(name, value))
        if all(value is None for value in given.values()):
            raise RamifyError("a search needs a budget: set simulations, seconds, calls or memory")

    def share(self, part: int, parts: int) -> Budget | None:
        """Return the share of thread ``part`` of ``parts``, or None if nothing is left for it.

        Remainders go to the first threads. Seconds are not divided.
        """

        def divide(total: int | None) -> int | None:
            return None if total is None else total // parts + (part < total % parts)

        shares = [divide(total) for total in (self.simulations, self.calls, self.memory)]
        if 0 in shares:
            return None
        return Budget(shares[0], self.seconds, shares[1], shares[2])

    def split(self, factor: float, count: int) -> list[Budget]:
        """Split ``factor`` times this budget into at most ``count`` consecutive steps. Memory is not scaled."""

        def step(total: int | None, k: int) -> int | None:
            whole = None if total is None else int(total * factor)
            return None if whole is None else whole * (k + 1) // count - whole * k // count

        seconds = None if self.seconds is None else self.seconds * factor / count
        found = [(step(self.simulations, k), seconds, step(self.calls, k), self.memory) for k in range(count)]
        return [Budget(*limits) for limits in found if 0 not in limits]


def checked_seconds(name: str, value: Any) -> float:
    """Return a valid limit in seconds; ``name`` is used in errors."""
    value = plain(value)
    _check_positive(name, value)
    return float(NO_LIMIT if value > NO_LIMIT else value)


def checked_count(name: str, value: Any) -> int:
    """Return a valid integer limit. Accepts integral floats such as 1e6; clips to NO_LIMIT."""
    value = plain(value)
    _check_positive(name, value)
    if not issubclass(type(value), Integral) and not float(value).is_integer():
        raise RamifyError(f"the budget '{name}' must be an integer, not {value}")
    return NO_LIMIT if value > NO_LIMIT else int(value)


def _check_positive(name: str, value: Any) -> None:
    kind = type(value)
    if kind is bool or not issubclass(kind, Real) or (not issubclass(kind, Integral) and math.isnan(value)):
        raise RamifyError(f"the budget '{name}' must be a number, not '{value}'")
    if value <= 0:
        raise RamifyError(f"the budget '{name}' must be above zero, not {value}")
