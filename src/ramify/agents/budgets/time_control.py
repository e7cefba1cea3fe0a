"""Time controls of a whole game: main time, increment, and the rule for running out of time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter

from ramify.agents.budgets.budget import checked_seconds
from ramify.agents.budgets.clock import Clock
from ramify.errors import RamifyError

LOSE, RANDOM = "lose", "random"  # when the clock runs out: lose the game, or continue with random moves


@dataclass(frozen=True)
class TimeControl:
    """``seconds`` for all moves of a player, plus ``increment`` per move. ``on_time`` is LOSE or RANDOM."""

    seconds: float
    increment: float = 0.0
    on_time: str = LOSE

    def __post_init__(self) -> None:
        object.__setattr__(self, "seconds", checked_seconds("clock", self.seconds))
        if self.increment != 0:
            object.__setattr__(self, "increment", checked_seconds("increment", self.increment))

    def new_clock(self, now: Callable[[], float] = perf_counter) -> Clock:
        """Return a clock for a new game."""
        return Clock(self.seconds, self.increment, now)


def parse_clock(text: str) -> tuple[float, float | None]:
    """Parse a clock, ``60`` or ``60+0.5``. Return its seconds and its increment (None if not written)."""
    main, plus, more = text.partition("+")
    if text.isascii() and "_" not in text:  # float() also reads digits of other alphabets, and 1_000
        with suppress(ValueError):
            return float(main), float(more) if plus else None
    raise RamifyError(f"invalid clock '{text}': use seconds, or seconds plus an increment, e.g. 60 or 60+0.5")
