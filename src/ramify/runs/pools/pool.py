"""Who plays the games, or does other jobs. A driver gives them and takes records; it need not know where they ran."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Protocol

from ramify.arena.matches.play import forget
from ramify.arena.matches.rows import Record
from ramify.runs.jobs import Job, carried_out


class Pool(Protocol):
    """Plays games somewhere. A game that was given is taken once, in any order, unless the pool is closed before.

    Whatever dies inside is replaced and its games are played again. A game that cannot be played raises a
    ``RamifyError`` from ``take``.
    """

    def room(self) -> int:
        """How many more games should be given now, so that nobody waits."""

    def give(self, games: Sequence[Job]) -> None:
        """Take these games on."""

    def take(self, seconds: float) -> list[Record]:
        """The games finished since the last call; waits up to ``seconds`` for the first."""

    def close(self) -> None:
        """Stop at once; games in flight are forgotten."""


class HerePool:
    """Plays in this process, one game at each ``take``; for tests, and where processes cannot be started."""

    def __init__(self) -> None:
        forget()
        self._games: deque[Job] = deque()

    def room(self) -> int:
        """One game at a time."""
        return 1 - len(self._games)

    def give(self, games: Sequence[Job]) -> None:
        """Keep them."""
        self._games.extend(games)

    def take(self, seconds: float) -> list[Record]:
        """Play one."""
        del seconds
        return [carried_out(self._games.popleft())] if self._games else []

    def close(self) -> None:
        """Forget the games."""
        self._games.clear()
