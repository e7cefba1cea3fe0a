"""The time control of a whole game: what a player's clock is set to, and what follows when it runs out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from ramify.agents.budgets.budget import checked_seconds
from ramify.agents.budgets.clock import Clock
from ramify.errors import RamifyError

LOSE, RANDOM = "lose", "random"  # what becomes of a player whose clock has run out


@dataclass(frozen=True)
class TimeControl:
    """``seconds`` for all moves of a player, ``increment`` more with each of them; ``on_time`` is LOSE or RANDOM."""

    seconds: float
    increment: float = 0.0
    on_time: str = LOSE

    def __post_init__(self) -> None:
        object.__setattr__(self, "seconds", checked_seconds("clock", self.seconds))
        if self.increment != 0:
            object.__setattr__(self, "increment", checked_seconds("increment", self.increment))

    def new_clock(self, now: Callable[[], float] = perf_counter) -> Clock:
        """A clock as it is when the game begins."""
        return Clock(self.seconds, self.increment, now)


def parse_clock(text: str) -> tuple[float, float | None]:
    """The seconds and the increment of a clock as it is written: ``60`` or ``60+0.5``."""
    main, plus, more = text.partition("+")
    try:
        return float(main), float(more) if plus else None
    except ValueError:
        raise RamifyError(
            f"a clock is seconds, or seconds plus an increment, like 60 or 60+0.5, not '{text}'"
        ) from None
