"""Parts of a budget, for allocations: what remains of it, in total or up to a given part."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ramify.old_names import old_attributes
from ramify.strategies.base import Root, Spent

PART_LIMITS = ("simulations", "seconds", "calls")  # what ends a part of a budget; all else ends the search
NOTHING = Spent(0, 0.0, 0)


def remaining(budget: Any, spent: Spent, part: float = 1, parts: float = 1, **instead: int | None) -> Any | None:
    """Return what remains of a ``Budget`` until ``part`` of ``parts`` equal parts are spent, or None if they are.

    A part is spent as soon as one of its limits is reached; memory is not divided. ``instead`` replaces the number of
    simulations or calls that the parts would leave. What the budget does not limit stays unlimited.
    """
    found: dict[str, float] = {}
    for name in ("simulations", "calls"):
        if (most := getattr(budget, name)) is not None:
            amount = instead.get(name)
            found[name] = max(1, math.floor(most * part / parts)) - getattr(spent, name) if amount is None else amount
    if budget.seconds is not None:
        found["seconds"] = budget.seconds * part / parts - spent.seconds
    return None if any(amount <= 0 for amount in found.values()) else replace(budget, **found)


def keep_best(root: Root, count: int) -> None:
    """Keep the ``count`` children of highest mean, best first. Ties keep their order."""
    root.keep(np.argsort(-root.values, kind="stable")[:count])


__getattr__ = old_attributes(__name__)
