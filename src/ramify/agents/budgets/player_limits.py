"""What a side may spend: on each move, or on the whole game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from time import perf_counter
from typing import Any

from ramify.agents.budgets.budget import NO_LIMIT, Budget
from ramify.agents.budgets.clock import Clock
from ramify.agents.budgets.time_control import TimeControl
from ramify.errors import RamifyError

LOSE, RANDOM = "lose", "random"  # what becomes of a side whose clock has run out
ClockLike = float | str  # seconds, or text such as 60+0.5
ADVICE = "give simulations, seconds, calls or clock"


@dataclass(frozen=True, repr=False)
class SideLimits:
    """The budget of one side: a move's simulations, seconds and calls, a game's ``clock`` seconds; None is no limit.

    Any may be combined, and the first to run out ends the search of a move. How a side divides the seconds of its clock
    is the agent's matter (``strategies.timing``).
    """

    simulations: int | None = None
    seconds: float | None = None
    calls: int | None = None
    clock: float | None = None
    increment: float | None = None  # seconds that the clock gains with each move of the side
    on_time: str | None = None  # what becomes of a side whose clock has run out; None: it loses

    def __post_init__(self) -> None:
        of_a_move = (self.simulations, self.seconds, self.calls)
        if self.clock is None and of_a_move == (None, None, None):
            raise RamifyError(f"the agents need a budget: {ADVICE}")
        given = [value for value in (*of_a_move, self.clock) if value is not None]
        if all(isinstance(value, int | float) and value >= NO_LIMIT for value in given):
            raise RamifyError(f"the agents need a budget that runs out, not {' and '.join(map(str, given))}")
        if of_a_move != (None, None, None):
            Budget(*of_a_move)
        for name in ("clock", "increment"):
            value = getattr(self, name)
            if value is None or (name == "increment" and value == 0):
                continue
            try:
                Budget(seconds=value)
            except RamifyError as error:
                raise RamifyError(str(error).replace("'seconds'", f"'{name}'")) from None

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
    def timed(self) -> bool:
        """Whether the number of simulations depends on the machine's speed."""
        return self.seconds is not None or self.clock is not None

    def of_a_move(self, control: TimeControl | None = None) -> Budget:
        """The budget of the next search, with what a clock gives it."""
        return self._untimed if control is None else Budget(self.simulations, control.seconds, self.calls)

    def new_clock(self, now: Callable[[], float] = perf_counter) -> Clock | None:
        """A clock as it is when a game begins; None where there is none."""
        return None if self.clock is None else Clock(self.clock, self.increment or 0.0, now)

    @cached_property
    def _untimed(self) -> Budget:
        return Budget(self.simulations, self.seconds, self.calls)

    def data(self) -> dict[str, Any]:
        """The limits that are set, as plain data."""
        set_ones = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in set_ones if value is not None}

    def __str__(self) -> str:
        units = {
            "simulations": "{:,} simulations a move",
            "seconds": "{:g} s a move",
            "calls": "{:,} calls a move",
            "clock": "{:g} s a game",
            "increment": "{:g} s more with each move",
            "on_time": "then {} moves",
        }
        return ", ".join(units[name].format(value) for name, value in self.data().items())


def limits_of(
    simulations: int | None = None,
    seconds: float | None = None,
    calls: int | None = None,
    clock: ClockLike | None = None,
    increment: float | None = None,
) -> SideLimits | None:
    """The limits that a user gives, None if none; the clock may be text with its increment, such as ``60+0.5``."""
    if (simulations, seconds, calls, clock, increment) == (None,) * 5:
        return None
    if clock is None and increment is not None:
        raise RamifyError("an increment is added to a clock: give clock, too")
    if isinstance(clock, str):
        clock, added = read_clock(clock)
        if added is not None and increment is not None:
            raise RamifyError(f"the clock has two increments, {added:g} and {increment}: give one")
        increment = added if increment is None else increment
    return SideLimits(simulations, seconds, calls, clock, increment or None)


def read_clock(text: str) -> tuple[float, float | None]:
    """The seconds and the increment of a clock as it is written: ``60`` or ``60+0.5``."""
    main, plus, more = text.partition("+")
    try:
        return float(main), float(more) if plus else None
    except ValueError:
        raise RamifyError(
            f"a clock is seconds, or seconds plus an increment, like 60 or 60+0.5, not '{text}'"
        ) from None
