"""False RAVE updates: the error models of Tom 2010, section 5.6."""

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from ramify.core.hooks.amaf import INDISCRIMINATE, LOWER, RAISE
from ramify.errors import RamifyError, suggestion
from ramify.strategies.base import Updates

DRAWS, NODES = ("simulation", "node"), ("all", "root")
MODELS = {"indiscriminate": INDISCRIMINATE, "lower": LOWER, "raise": RAISE}


@dataclass(frozen=True)
class FalseUpdates(Updates):
    """Each simulation updates RAVE's sums falsely with probability ``mu``: the error models of Tom 2010, section 5.6.

    ``indiscriminate``: all moves are credited with the inverse result. ``lower``: if the player of the ``target`` move
    won, the move is credited with a loss. ``raise``: if that player lost, with a win. ``shared``: so are all other
    moves of that player. The target is the name of a root move.

    Other readings of the thesis: ``draw=node`` draws again at every node of the path instead of once per simulation,
    ``nodes=root`` lets only the root's updates be false, and ``own=false`` credits the move made at a node truly there.
    """

    kind: str = "indiscriminate"
    target: str = ""
    mu: float = 0.5
    shared: bool = False
    weighted: bool = False
    draw: str = "simulation"
    nodes: str = "all"
    own: bool = True

    def __post_init__(self) -> None:
        if self.kind not in MODELS:
            raise RamifyError(f"unknown kind '{self.kind}' of false updates: {suggestion(self.kind, MODELS)}")
        for name, value, known in (("draw", self.draw, DRAWS), ("nodes", self.nodes, NODES)):
            if value not in known:
                raise RamifyError(f"unknown value '{value}' of '{name}': {suggestion(value, known)}")
        if not 0.0 <= self.mu <= 1.0:
            raise RamifyError(f"'mu' must be a probability from 0 to 1, not {self.mu}")
        if (self.kind == "indiscriminate") != (self.target == ""):
            raise RamifyError(
                "false_updates(kind=indiscriminate) has no target: remove it"
                if self.target
                else f"false_updates(kind={self.kind}) needs the name of a move as target, e.g. target=9"
            )

    def write_fields(self, block: npt.NDArray[Any]) -> None:
        block["errors"], block["weighted"] = MODELS[self.kind], self.weighted
        block["mu"], block["shared"] = self.mu, self.shared
        block["per_node"], block["root_only"] = self.draw == "node", self.nodes == "root"
        block["spares_own"] = not self.own
