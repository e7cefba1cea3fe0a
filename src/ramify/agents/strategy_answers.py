"""Checks what the Python functions of strategies return. A user's strategy may return anything."""

from __future__ import annotations

from math import isnan
from numbers import Integral, Real

from ramify.errors import RamifyError
from ramify.strategies.base import Allocation, BoundStrategy, Recommendation, Strategy, Timing


def checked_choice(recommend: Recommendation, chosen: object, count: int) -> int:
    """Return the index of the recommended child."""
    if not isinstance(chosen, Integral) or not 0 <= int(chosen) < count:
        raise _invalid(recommend, "choose", chosen, f"the index of a child, from 0 to {count - 1}")
    return int(chosen)


def checked_binding(strategy: Strategy, bound: object) -> BoundStrategy:
    if not isinstance(bound, BoundStrategy):
        raise _invalid(strategy, "bind", bound, "a BoundStrategy")
    return bound


def checked_stop(allocation: Allocation, reason: object, spent: int, simulations: int | None) -> str:
    """Return why an allocation stopped, after it has ``spent`` some of the ``simulations`` of its budget."""
    if allocation.is_users() and simulations and spent > simulations:
        raise RamifyError(
            f"{type(allocation).__name__}.spend used {spent} simulations of a budget of {simulations}: the budgets that"
            " it passes to run() must be parts of its own"
        )
    if not isinstance(reason, str):
        raise _invalid(allocation, "spend", reason, "what its last run() returned")
    return reason


def checked_seconds(timing: Timing, seconds: object) -> float:
    """Return the seconds for a move."""
    if not isinstance(seconds, Real) or isnan(seconds):
        raise _invalid(timing, "seconds", seconds, "a number of seconds")
    return float(seconds)


def _invalid(strategy: Strategy, method: str, answer: object, right: str) -> RamifyError:
    return RamifyError(f"{type(strategy).__name__}.{method} returned {answer!r}: it must return {right}")
