"""Limits of one player: a budget per move, a time control per game, or both."""

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
from ramify.numpy_scalars import plain
from ramify.old_names import old_attributes
from ramify.strategies.base import Timing

ClockLike = float | str  # seconds, or text such as 60+0.5
BUDGET_HINT = "set simulations, seconds, calls or clock"


@dataclass(frozen=True, repr=False)
class PlayerLimits:
    """Limits of one player. They can be combined; the first one reached ends the search of a move.

    The fields hold the values as written, which rows and digests store; None: no limit. ``per_move`` and ``per_game``
    are the validated limits. The agent's timing divides the clock among moves (``strategies.timing``).
    """

    simulations: int | None = None  # per move
    seconds: float | None = None  # per move
    calls: int | None = None  # per move
    clock: float | None = None  # seconds per game
    increment: float | None = None  # seconds added to the clock after each move
    on_time: str | None = None  # LOSE or RANDOM when the clock runs out; None: LOSE

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, plain(getattr(self, field.name)))
        if self.clock is None and self.increment is not None:
            raise RamifyError("increment needs clock")
        given = [value for value in (self.simulations, self.seconds, self.calls, self.clock) if value is not None]
        if not given:
            raise RamifyError(f"the agents need a budget: {BUDGET_HINT}")
        if all(isinstance(value, int | float) and value >= NO_LIMIT for value in given):
            raise RamifyError(f"the agents need a finite budget, not {' and '.join(map(str, given))}")
        _ = self.per_move, self.per_game  # validate now

    @cached_property
    def per_move(self) -> Budget | None:
        """Budget of each move's search, without the clock."""
        of_a_move = (self.simulations, self.seconds, self.calls)
        return None if of_a_move == (None, None, None) else Budget(*of_a_move)

    @cached_property
    def per_game(self) -> TimeControl | None:
        """Time control of the player's clock, or None without a clock."""
        return None if self.clock is None else TimeControl(self.clock, self.increment or 0.0, self.on_time or LOSE)

    def digest_key(self) -> str:
        """Return the text that stored experiments contain. Its names never change; newer fields appear only if set."""
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
        return f"Side{self.digest_key()}"  # stored in the digests of users' classes

    @property
    def uses_time(self) -> bool:
        """Whether the number of simulations depends on the machine's speed."""
        return self.seconds is not None or self.clock is not None

    def new_clock(self, now: Callable[[], float] = perf_counter) -> Clock | None:
        """Return a clock for a new game, or None without a clock."""
        return None if self.per_game is None else self.per_game.new_clock(now)

    def move_time(self, timing: Timing, clock: Clock | None, rate: float = 0.0) -> MoveTime | None:
        """Return the time of the next search on a running clock, or None without a clock.

        ``rate``: simulations per second of the player's earlier searches; 0: unknown.
        """
        return None if clock is None else MoveTime(clock, timing, self.seconds, rate)

    def move_budget(self, time: MoveTime | None = None) -> Budget:
        """Return the budget of the next search, with the seconds that the clock grants."""
        if time is None:
            return self.per_move or Budget()
        return Budget(self.simulations, time.seconds, self.calls)

    def first_move_budget(self, timing: Timing) -> tuple[Budget, MoveTime | None]:
        """Return the budget of a game's first search, and its share of the clock (None without a clock)."""
        time = self.move_time(timing, self.new_clock())
        return self.move_budget(time), time

    def to_dict(self) -> dict[str, Any]:
        """Return the limits that are set, for JSON."""
        given = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in given if value is not None}

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
    """Return a user's limits, None if none are set. The clock may be text with an increment, e.g. ``60+0.5``."""
    if (simulations, seconds, calls, clock, increment) == (None,) * 5:
        return None
    if isinstance(clock, str):
        clock, added = parse_clock(clock)
        if added is not None and increment is not None:
            raise RamifyError(f"two increments for the clock, {added:g} and {increment}: remove one of them")
        increment = added if increment is None else increment
    if clock is not None:
        increment = increment or None
    return PlayerLimits(simulations, seconds, calls, clock, increment)


__getattr__ = old_attributes(__name__)
