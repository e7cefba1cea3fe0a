"""Some simulations are told falsely: the error models of Tom 2010, section 5.6."""

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from ramify.core.hooks.amaf import INDISCRIMINATE, LOWER, RAISE
from ramify.errors import RamifyError, suggestion
from ramify.strategies.base import Updates

MODELS = {"indiscriminate": INDISCRIMINATE, "lower": LOWER, "raise": RAISE}


@dataclass(frozen=True)
class FalseUpdates(Updates):
    """Some simulations are told falsely, each with probability ``mu``: the error models of Tom 2010, section 5.6.

    ``indiscriminate``: all moves are credited with the inverse. ``lower``: where the player who made the ``target``
    move won, that move is credited with a loss; ``raise``: where that player lost, with a win. ``shared``: so are all
    other moves of that player. The target is a move of the position searched, by its name.
    """

    kind: str = "indiscriminate"
    target: str = ""
    mu: float = 0.5
    shared: bool = False
    weighted: bool = False

    def __post_init__(self) -> None:
        if self.kind not in MODELS:
            raise RamifyError(f"there is no kind '{self.kind}' of false updates; {suggestion(self.kind, MODELS)}")
        if not 0.0 <= self.mu <= 1.0:
            raise RamifyError(f"'mu' is a probability, from 0 to 1, not {self.mu}")
        if (self.kind == "indiscriminate") != (self.target == ""):
            raise RamifyError(
                "indiscriminate false updates have no target"
                if self.target
                else f"false updates of kind {self.kind} need a target, as in target=9: the name of a move"
            )

    def write_fields(self, block: npt.NDArray[Any]) -> None:
        """The error model."""
        block["errors"], block["weighted"] = MODELS[self.kind], self.weighted
        block["mu"], block["shared"] = self.mu, self.shared
