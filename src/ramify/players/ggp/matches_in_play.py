"""The matches in play, and which of them gives way to a new one.

Nothing tells an honest manager from a stranger except that its match advances. So no match that advances in time is
ever ended for another one, and strangers who leave their matches lose them as soon as somebody needs the place.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from ramify.ggp.kif import Term
from ramify.players.ggp.messages import LastTurn, Start
from ramify.players.ggp.timing import ManagerClock

MAX_MATCHES = 3  # side by side
MAX_LONG_MATCHES = 2  # of those with a long clock: who leaves such a match blocks its place for long
LONG_CLOCK_SECONDS = 60.0
GIVE_WAY_SECONDS = 5.0  # after which a match whose next turn is due gives way to a new one
MAX_UNANSWERED = 4  # messages of a match that wait for their answers at the same time
ENDED_NAMES = 16  # matches whose STOP or ABORT may be repeated


class MatchInPlay(Protocol):
    """A match, in this process or in its own."""

    start: Start
    manager: ManagerClock
    over: bool
    refusal: str | None  # why the rules cannot be played

    @property
    def id(self) -> str:
        """The manager's name of the match."""

    def wait_until_ready(self, arrived: float) -> None:
        """Wait until preparation is complete or the start clock runs out."""

    def play(self, last: LastTurn | None, arrived: float) -> Term | None:
        """Return the move to play after the last turn, or None if there is none in time."""

    def end(self, last: LastTurn | None = None) -> None:
        """End the match. Log its result if the last turn is given."""


@dataclass(eq=False)
class Place:
    """A match with the number of its messages that may wait."""

    match: MatchInPlay
    unanswered: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(MAX_UNANSWERED))

    @property
    def long(self) -> bool:
        return is_long(self.match.start)


class MatchesInPlay:
    """Up to MAX_MATCHES matches. Not thread-safe."""

    def __init__(self, log: Callable[[str], object]) -> None:
        self.log = log
        self.ended: deque[str] = deque(maxlen=ENDED_NAMES)
        self._places: list[Place] = []

    def __iter__(self) -> Iterator[MatchInPlay]:
        return iter([place.match for place in self._in_progress()])

    def find(self, name: str) -> Place | None:
        """Return the match of that name, if it is in progress."""
        return next((place for place in self._places if place.match.id == name and not place.match.over), None)

    def add(self, match: MatchInPlay) -> Place:
        place = Place(match)
        self._places.append(place)
        return place

    def available(self, start: Start | None = None) -> bool:
        """Whether a match (by default: any with short clocks) can start."""
        rivals = self._rivals(start)
        return rivals is None or self._idle(rivals) is not None

    def make_room(self, start: Start) -> bool:
        """End what has to give way to a new match. Return False if nothing has to."""
        rivals = self._rivals(start)
        if rivals is None:
            return True
        idle = self._idle(rivals)
        if idle is None:
            return False
        self.log(f"match {idle.match.id}: ended because it does not advance and another one starts")
        idle.match.end()
        return True

    def _rivals(self, start: Start | None) -> list[Place] | None:
        """Return the matches of which one must give way, or None if there is room."""
        places = self._in_progress()
        long = [place for place in places if place.long]
        if start is not None and is_long(start) and len(long) >= MAX_LONG_MATCHES:
            return long
        return places if len(places) >= MAX_MATCHES else None

    def _idle(self, places: list[Place]) -> Place | None:
        """Return the match whose next turn is most overdue, or None if all advance."""
        worst = max(places, key=lambda place: place.match.manager.overdue)
        return worst if worst.match.manager.overdue > GIVE_WAY_SECONDS else None

    def _in_progress(self) -> list[Place]:
        """Return the matches in progress. End those whose managers are gone."""
        for place in self._places:
            if place.match.manager.silent and not place.match.over:
                self.log(f"match {place.match.id}: ended because the manager is silent")
                place.match.end()
        self._places = [place for place in self._places if not place.match.over]
        return self._places


def is_long(start: Start) -> bool:
    return max(start.start_clock, start.play_clock) > LONG_CLOCK_SECONDS
