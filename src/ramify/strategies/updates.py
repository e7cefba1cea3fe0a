"""RAVE updates: what the moves of a simulation are credited with (``core.engine.amaf``)."""

from dataclasses import dataclass

from ramify.core.engine.amaf_record import INDISCRIMINATE, LOWER, RAISE
from ramify.errors import RamifyError, nearest

KINDS = {"indiscriminate": INDISCRIMINATE, "lower": LOWER, "raise": RAISE}


@dataclass(frozen=True)
class TrueUpdates:
    """Every move is credited with what its player got.

    ``weighted``: a move counts 2 where it was made at once, less the later it came, 1 at the end of the game
    (WeightRaveUpdates of Fuego).
    """

    weighted: bool = False


@dataclass(frozen=True)
class FalseUpdates:
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
        if self.kind not in KINDS:
            raise RamifyError(f"there is no kind '{self.kind}' of false updates; {nearest(self.kind, KINDS)}")
        if not 0.0 <= self.mu <= 1.0:
            raise RamifyError(f"'mu' is a probability, from 0 to 1, not {self.mu}")
        if (self.kind == "indiscriminate") != (self.target == ""):
            raise RamifyError(
                "indiscriminate false updates have no target"
                if self.target
                else f"false updates of kind {self.kind} need a target, as in target=9: the name of a move"
            )


UPDATES = {"true_updates": TrueUpdates, "false_updates": FalseUpdates}
