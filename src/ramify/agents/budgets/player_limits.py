"""What a player may spend: a budget per move, a time control per game, or both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from time import perf_counter
from typing import Any

from ramify.agents.budgets.budget import NO_LIMIT, Budget
from ramify.agents.budgets.clock import Clock
from ramify.agents.budgets.move_time import MoveTime
from ramify.agents.budgets.time_control import LOSE, TimeControl, parse_clock
from ramify.errors import RamifyError
from ramify.old_names import old_attributes
from ramify.strategies.base import Timing

ClockLike = float | str  # seconds, or text such as 60+0.5
BUDGET_HINT = "give simulations, seconds, calls or clock"


@dataclass(frozen=True, repr=False)
class PlayerLimits:
    """The limits of one player. Any may be combined, and the first to run out ends the search of a move.

    The fields hold what was written, which rows and digests repeat; None is no limit. ``per_move`` and ``per_game`` are
    the limits themselves, and check what they are made of. How a player divides the seconds of its clock is the agent's
    matter (``strategies.timing``).
    """

    simulations: int | None = None  # these three of a move
    seconds: float | None = None
    calls: int | None = None
    clock: float | None = None  # seconds of a game
    increment: float | None = None  # seconds that the clock gains with each move of the player
    on_time: str | None = None  # what becomes of a player whose clock has run out; None: it loses

    def __post_init__(self) -> None:
        if self.clock is None and self.increment is not None:
            raise RamifyError("an increment is added to a clock: give clock, too")
        given = [value for value in (self.simulations, self.seconds, self.calls, self.clock) if value is not None]
        if not given:
            raise RamifyError(f"the agents need a budget: {BUDGET_HINT}")
        if all(isinstance(value, int | float) and value >= NO_LIMIT for value in given):
            raise RamifyError(f"the agents need a budget that runs out, not {' and '.join(map(str, given))}")
        _ = self.per_move, self.per_game  # made now, so that what they refuse is refused here

    @cached_property
    def per_move(self) -> Budget | None:
        """The budget of each move's search, beside what a clock gives it."""
        of_a_move = (self.simulations, self.seconds, self.calls)
        return None if of_a_move == (None, None, None) else Budget(*of_a_move)

    @cached_property
    def per_game(self) -> TimeControl | None:
        """What the player's clock is set to."""
        return None if self.clock is None else TimeControl(self.clock, self.increment or 0.0, self.on_time or LOSE)

    def digest_key(self) -> str:
        """As experiments on the disk store it: names that never change, and later ones only where they are set."""
        stored: dict[str, object] = {
            "simulations": self.simulations,
            "seconds": self.seconds,
            "calls": self.calls,
            "clock": self.clock,
        }
        later = {"increment": self.increment, "on_time": self.on_time}
        stored |= {name: value for name, value in later.items() if value is not None}
        return f"Limits({', '.join(f'{name}={value!r}' for name, value in stored.items())})"

    def __repr__(self) -> str:
        return f"Side{self.digest_key()}"  # users' classes that print it are stored so

    @property
    def uses_time(self) -> bool:
        """Whether the number of simulations depends on the machine's speed."""
        return self.seconds is not None or self.clock is not None

    def new_clock(self, now: Callable[[], float] = perf_counter) -> Clock | None:
        """A clock as it is when a game begins; None where there is none."""
        return None if self.per_game is None else self.per_game.new_clock(now)

    def move_time(self, timing: Timing, clock: Clock | None, rate: float = 0.0) -> MoveTime | None:
        """What the next search may take of a running clock; None where there is none.

        ``rate`` is how many simulations per second the player's searches make, where that is known.
        """
        return None if clock is None else MoveTime(clock, timing, self.seconds, rate)

    def move_budget(self, time: MoveTime | None = None) -> Budget:
        """The budget of the next search, with what a clock gives it."""
        if time is None:
            return self.per_move or Budget()
        return Budget(self.simulations, time.seconds, self.calls)

    def of_first_move(self, timing: Timing) -> tuple[Budget, MoveTime | None]:
        """The budget of a game's first search, and what it may take of the clock, if there is one."""
        time = self.move_time(timing, self.new_clock())
        return self.move_budget(time), time

    def to_dict(self) -> dict[str, Any]:
        """The limits that are set, as plain data."""
        set_ones = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in set_ones if value is not None}

    def __str__(self) -> str:
        units = {
            "simulations": "{:,} simulations per move",
            "seconds": "{:g} s per move",
            "calls": "{:,} calls per move",
            "clock": "{:g} s per game",
            "increment": "increment {:g} s",
            "on_time": "then {} moves",
        }
        return ", ".join(units[name].format(value) for name, value in self.to_dict().items())


def parse_limits(
    simulations: int | None = None,
    seconds: float | None = None,
    calls: int | None = None,
    clock: ClockLike | None = None,
    increment: float | None = None,
) -> PlayerLimits | None:
    """The limits that a user gives, None if none; the clock may be text with its increment, such as ``60+0.5``."""
    if (simulations, seconds, calls, clock, increment) == (None,) * 5:
        return None
    if isinstance(clock, str):
        clock, added = parse_clock(clock)
        if added is not None and increment is not None:
            raise RamifyError(f"the clock has two increments, {added:g} and {increment}: give one")
        increment = added if increment is None else increment
    if clock is not None:
        increment = increment or None
    return PlayerLimits(simulations, seconds, calls, clock, increment)


__getattr__ = old_attributes(__name__)
