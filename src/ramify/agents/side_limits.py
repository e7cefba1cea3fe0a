"""What a side may spend: on each move, or on the whole game."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from ramify.agents.budget import NO_LIMIT, Budget
from ramify.errors import RamifyError

# The rule of the game clock. A constant share of what is left never runs out; 1/25 leaves a third after 27 moves.
SHARE = 1 / 25
SHORTEST = 0.001  # a share below this many seconds is not worth a timed search


@dataclass(frozen=True)
class SideLimits:
    """The budget of one side: a move's simulations, seconds and calls, a game's ``clock`` seconds; None is no limit.

    Any may be combined, and the first to run out ends the search of a move. With a clock a move gets ``SHARE`` of the
    seconds left. When that is below ``SHORTEST`` the side plays on with a minimal search, one simulation for each
    legal move: nobody loses on time.
    """

    simulations: int | None = None
    seconds: float | None = None
    calls: int | None = None
    clock: float | None = None

    def __post_init__(self) -> None:
        of_a_move = (self.simulations, self.seconds, self.calls)
        if self.clock is None and of_a_move == (None, None, None):
            raise RamifyError("the agents need a budget: give simulations, seconds, calls or clock")
        given = [value for value in (*of_a_move, self.clock) if value is not None]
        if all(isinstance(value, int | float) and value >= NO_LIMIT for value in given):
            raise RamifyError(f"the agents need a budget that runs out, not {' and '.join(map(str, given))}")
        if of_a_move != (None, None, None):
            Budget(*of_a_move)
        if self.clock is not None:
            try:
                Budget(seconds=self.clock)
            except RamifyError as error:
                raise RamifyError(str(error).replace("'seconds'", "'clock'")) from None

    @property
    def timed(self) -> bool:
        """Whether the number of simulations depends on the machine's speed."""
        return self.seconds is not None or self.clock is not None

    def of_a_move(self, left: float | None, legal: int) -> Budget:
        """The budget of the next search, with ``left`` seconds on the clock and ``legal`` moves to choose from."""
        if left is None:
            return self._untimed
        share = left * SHARE
        if share < SHORTEST:
            return Budget(simulations=legal)
        seconds = share if self.seconds is None else min(share, self.seconds)
        return Budget(self.simulations, seconds, self.calls)

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
        }
        return ", ".join(units[name].format(value) for name, value in self.data().items())
