"""The selection policy decides alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from ramify.strategies.base import Allocation, Root


@dataclass(frozen=True)
class ByPolicy(Allocation):
    """One round: the root's selection policy decides where every simulation goes."""

    inspects_root: ClassVar[bool] = False

    def spend(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        """All of it at once."""
        del root
        return run(budget)
