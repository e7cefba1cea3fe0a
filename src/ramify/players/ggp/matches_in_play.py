"""The matches in play, and which of them gives way to a new one.

Nothing tells an honest manager from a stranger except that its match advances. So no match that advances in time is
ever ended for another one, and strangers who leave their matches lose them as soon as somebody needs the place. Those
who are refused and ask again form a line, so that nobody gets a place earlier by asking more often.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from time import monotonic
from typing import NamedTuple, Protocol

from ramify.ggp.kif import Term
from ramify.players.ggp.messages import LastTurn, Start
from ramify.players.ggp.timing import ManagerClock

MAX_MATCHES = 3  # side by side
MAX_LONG_MATCHES = 2  # of those with a long clock: who leaves such a match blocks its place for long
LONG_CLOCK_SECONDS = 60.0
GIVE_WAY_SECONDS = 5.0  # after which a match whose next turn is due gives way to a new one
LINE_SECONDS = 3.0  # after which a manager that does not ask again loses its place in the line
MAX_LINE = 1024  # names in the line
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


class _Refused(NamedTuple):
    """A match that could not start when its manager last asked."""

    long: bool
    asked: float


class MatchesInPlay:
    """Up to MAX_MATCHES matches. Not thread-safe."""

    def __init__(self, log: Callable[[str], object]) -> None:
        self.log = log
        self.ended: deque[str] = deque(maxlen=ENDED_NAMES)
        self._places: list[Place] = []
        self._line: dict[str, _Refused] = {}  # by name, in the order of their first refusals

    def __iter__(self) -> Iterator[MatchInPlay]:
        return iter([place.match for place in self._in_progress()])

    def find(self, name: str) -> Place | None:
        """Return the match of that name, if it is in progress."""
        return next((place for place in self._places if place.match.id == name and not place.match.over), None)

    def add(self, match: MatchInPlay) -> Place:
        place = Place(match)
        self._places.append(place)
        return place

    def available(self, *, long: bool = False) -> bool:
        """Whether a match can start, with a long clock or without."""
        rivals = self._rivals(long)
        return rivals is None or self._idle(rivals) is not None

    def make_room(self, start: Start) -> bool:
        """End what has to give way to a new match. Return False if it cannot start, or if it is another one's turn."""
        long = is_long(start)
        if not self.available(long=long) or self._others_are_first(start.match):
            if start.match in self._line or len(self._line) < MAX_LINE:
                self._line[start.match] = _Refused(long, monotonic())
            return False
        self._line.pop(start.match, None)
        rivals = self._rivals(long)
        idle = None if rivals is None else self._idle(rivals)
        if idle is not None:
            self.log(f"match {idle.match.id}: ended because it does not advance and another one starts")
            idle.match.end()
        return True

    def _others_are_first(self, name: str) -> bool:
        """Whether one that can start was refused before."""
        oldest = monotonic() - LINE_SECONDS
        self._line = {one: refused for one, refused in self._line.items() if refused.asked > oldest}
        can_start = {long: self.available(long=long) for long in (False, True)}
        return any(can_start[self._line[one].long] for one in takewhile(lambda one: one != name, self._line))

    def _rivals(self, long: bool) -> list[Place] | None:
        """Return the matches of which one must give way, or None if there is room."""
        places = self._in_progress()
        long_ones = [place for place in places if place.long]
        if long and len(long_ones) >= MAX_LONG_MATCHES:
            return long_ones
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
