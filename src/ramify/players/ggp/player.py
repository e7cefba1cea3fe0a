"""A GGP player: answers the messages of game managers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from ramify.errors import RamifyError
from ramify.ggp.kif import write
from ramify.old_names import note
from ramify.players.ggp.matches_in_play import MatchesInPlay, MatchInPlay, Place
from ramify.players.ggp.messages import Abort, Info, Message, Play, Preview, Start, Stop, read_message
from ramify.players.ggp.timing import Margin
from ramify.runs.seeds import derive

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.players.ggp.match import RoleGameFactory

BUSY = "busy"


class PreviewInProgress(Protocol):
    """Preparation for a match that may come."""

    def wait(self, deadline: float) -> None:
        """Wait until it is complete, at most until the deadline. Raise RamifyError if the rules cannot be played."""


class MatchRunner(Protocol):
    """Runs matches, in this process or in their own."""

    def match(self, start: Start, seed: int) -> MatchInPlay:
        """Start a match. It ends a preview."""

    def preview(self, rules: str) -> PreviewInProgress | None:
        """Start to prepare for a match. Return None if another preview is in progress."""

    def close(self) -> None:
        """End what is in progress."""


class GgpPlayer:
    """Answers messages. Thread-safe."""

    def __init__(
        self,
        agent: Agent | None = None,
        *,
        name: str,
        seed: int,
        make_role_games: RoleGameFactory | None = None,
        margin: Margin | None = None,
        log: Callable[[str], object] = lambda _: None,
        make_boards: RoleGameFactory | None = None,
        runner: MatchRunner | None = None,
    ) -> None:
        """``runner``: how to run matches. By default ``agent`` plays them in this process."""
        if make_boards is not None:
            note("GgpPlayer(make_boards=...)", "make_role_games")
        self.name = name
        self.seed = seed
        self.margin = margin or Margin()
        self.log = log
        self.matches = MatchesInPlay(log)
        self._runner = runner or _local_runner(agent, make_boards or make_role_games, self.margin, log)
        self._played = 0  # number of matches started
        self._lock = threading.Lock()

    def answer(self, text: str, arrived: float | None = None) -> str:
        """Return the reply to a message that ``arrived`` at that time. Raise RamifyError if it is not a message."""
        arrived = monotonic() if arrived is None else arrived
        return self.reply(read_message(text), arrived)

    def reply(self, message: Message, arrived: float) -> str:
        """Return the reply to a parsed message."""
        match message:
            case Info():
                return f"( ( name {self.name} ) ( status {self.status} ) )"
            case Start():
                return self._start(message, arrived)
            case Preview():
                return self._preview(message, arrived)
            case Play():
                return self._play(message, arrived)
            case Stop() | Abort():
                return self._end(message)

    @property
    def status(self) -> str:
        """``available`` or ``busy``."""
        with self._lock:
            return "available" if self.matches.available() else BUSY

    def _start(self, message: Start, arrived: float) -> str:
        with self._lock:
            place = self.matches.find(message.match)
            if place is None:
                if not self.matches.make_room(message):
                    return BUSY
                place = self.matches.add(self._new(message))
            elif place.match.start != message:
                return BUSY
        if not place.unanswered.acquire(blocking=False):
            return BUSY
        match = place.match
        try:
            match.wait_until_ready(arrived)
        finally:
            place.unanswered.release()
        if match.refusal is not None:
            match.end()
            self.log(f"match {match.id}: cannot play these rules: {match.refusal}")
            raise RamifyError(match.refusal)
        return "ready"

    def _preview(self, message: Preview, arrived: float) -> str:
        """Build and cache what a match with these rules needs, unless a match is in progress."""
        with self._lock:
            if any(self.matches):
                return "done"
            preview = self._runner.preview(message.rules)
        if preview is None:
            return BUSY
        preview.wait(arrived + message.clock - self.margin.for_clock(message.clock))
        return "done"

    def _new(self, message: Start) -> MatchInPlay:
        self._played += 1
        self.log(
            f"match {message.match} starts: role {write(message.role)}, start clock {message.start_clock:g} s,"
            f" play clock {message.play_clock:g} s"
        )
        return self._runner.match(message, derive(self.seed, self._played))

    def _find(self, name: str) -> Place | None:
        with self._lock:
            return self.matches.find(name)

    def _play(self, message: Play, arrived: float) -> str:
        place = self._find(message.match)
        if place is None or not place.unanswered.acquire(blocking=False):
            return BUSY
        try:
            move = place.match.play(message.last, arrived)
        finally:
            place.unanswered.release()
        return "nil" if move is None else write(move)

    def _end(self, message: Stop | Abort) -> str:
        word = "done" if isinstance(message, Stop) else "aborted"
        with self._lock:
            place = self.matches.find(message.match)
            if place is None:
                return word if message.match in self.matches.ended else BUSY
            self.matches.ended.append(message.match)
        place.match.end(message.last if isinstance(message, Stop) else None)
        self.log(f"match {message.match}: {'over' if isinstance(message, Stop) else 'aborted'}")
        return word

    def close(self) -> None:
        """End the matches in progress."""
        with self._lock:
            for match in self.matches:
                match.end()
        self._runner.close()


def _local_runner(
    agent: Agent | None, make_role_games: RoleGameFactory | None, margin: Margin, log: Callable[[str], object]
) -> MatchRunner:
    from ramify.players.ggp.local_runner import LocalRunner  # noqa: PLC0415  (imports Numba)
    from ramify.players.ggp.role_games import role_games  # noqa: PLC0415

    if agent is None:
        raise RamifyError("a GgpPlayer needs an agent or a runner")
    return LocalRunner(agent, make_role_games or role_games, margin, log)
