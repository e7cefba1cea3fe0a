"""The selection policy spends the whole budget."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from ramify.strategies.base import Allocation, Root


@dataclass(frozen=True)
class ByPolicy(Allocation):
    """One round, in which the root's selection policy chooses every simulation."""

    inspects_root: ClassVar[bool] = False

    def spend(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        del root
        return run(budget)
