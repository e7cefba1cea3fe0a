"""Time settings of a GTP front end: main time, then byo-yomi periods of some seconds for some stones."""

from __future__ import annotations

from dataclasses import replace

from ramify.agents.budgets.clock import Clock
from ramify.agents.budgets.player_limits import PlayerLimits

BYO_YOMI_MARGIN = 0.1  # share of a move's seconds reserved for communication
MIN_SECONDS = 0.01  # per move
DEFAULT_SECONDS = 1.0  # per move, without settings and limits


class GtpTiming:
    """Clocks of both players; none before ``time_settings`` or ``time_left``."""

    def __init__(self) -> None:
        self.main = self.byo_yomi = 0.0
        self.stones = 0
        self.set = False
        self._clocks: dict[int, Clock] = {}
        self._overtime: dict[int, tuple[float, int]] = {}  # by player: remaining seconds, and stones to play in them

    def time_settings(self, main: float, byo_yomi: float, stones: int) -> None:
        """Handle GTP's ``time_settings``. Byo-yomi of 0 seconds for some stones means no limit."""
        self.main, self.byo_yomi, self.stones = main, byo_yomi, stones
        self.set = not (byo_yomi <= 0 and stones > 0) and (main > 0 or byo_yomi > 0)
        self.restart()

    def restart(self) -> None:
        """Reset the clocks for a new game with the same settings."""
        self._clocks.clear()
        self._overtime.clear()
        if not self.set:
            return
        for player in (0, 1):
            if self.main > 0:
                self._clocks[player] = Clock(self.main)
            else:
                self._overtime[player] = (self.byo_yomi, max(1, self.stones))

    def time_left(self, player: int, seconds: float, stones: int) -> None:
        """Handle GTP's ``time_left``. In main time ``stones`` is 0."""
        self.set = True
        self._clocks.pop(player, None)
        self._overtime.pop(player, None)
        if stones > 0:
            self._overtime[player] = (seconds, stones)
        else:
            self._clocks[player] = Clock(max(seconds, MIN_SECONDS))

    def for_player(self, player: int, limits: PlayerLimits | None) -> tuple[Clock | None, PlayerLimits]:
        """Return a player's clock and the limits of its next move. ``limits`` apply in addition to the settings."""
        if not self.set:
            return None, limits or PlayerLimits(seconds=DEFAULT_SECONDS)
        clock = self._clocks.get(player)
        if clock is not None and clock.remaining > 0:
            return clock, replace(limits or PlayerLimits(clock=clock.remaining), clock=clock.remaining)
        left, stones = self._overtime.get(player, (self.byo_yomi, max(1, self.stones)))
        seconds = max(MIN_SECONDS, (1 - BYO_YOMI_MARGIN) * left / stones)
        if limits is None:
            return None, PlayerLimits(seconds=seconds)
        return None, replace(limits, seconds=seconds if limits.seconds is None else min(seconds, limits.seconds))
