"""A GGP player: answers the messages of a game manager, one match at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from ramify.errors import RamifyError
from ramify.ggp.kif import Term, write
from ramify.old_names import note
from ramify.players.ggp.messages import Abort, Info, LastTurn, Message, Play, Preview, Start, Stop, read_message
from ramify.players.ggp.timing import ManagerClock, Margin
from ramify.runs.seeds import derive

if TYPE_CHECKING:
    from ramify.agents.agent import Agent
    from ramify.players.ggp.match import RoleGameFactory

BUSY = "busy"


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


class PreviewInProgress(Protocol):
    """Preparation for a match that may come."""

    def wait(self, deadline: float) -> None:
        """Wait until it is complete, at most until the deadline. Raise RamifyError if the rules cannot be played."""


class MatchRunner(Protocol):
    """Runs matches, in this process or in their own. At most one match or preview is in progress."""

    def match(self, start: Start, seed: int) -> MatchInPlay:
        """Start a match."""

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
        self.match: MatchInPlay | None = None  # in progress
        self._runner = runner or _local_runner(agent, make_boards or make_role_games, self.margin, log)
        self._ended: str | None = None  # name of the last match
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
        return "available" if self._free(self.match) else BUSY

    @staticmethod
    def _free(match: MatchInPlay | None) -> bool:
        return match is None or match.over or match.manager.silent

    def _start(self, message: Start, arrived: float) -> str:
        with self._lock:
            match = self.match
            if match is None or match.over or match.start != message:
                if not self._free(match):
                    return BUSY
                self._end_silent()
                match = self.match = self._new(message)
            match.manager.heard()
        match.wait_until_ready(arrived)
        if match.refusal is not None:
            match.end()
            self.log(f"match {match.id}: cannot play these rules: {match.refusal}")
            raise RamifyError(match.refusal)
        return "ready"

    def _end_silent(self) -> None:
        """End a match whose manager is gone."""
        match = self.match
        if match is not None and not match.over:
            self.log(f"match {match.id}: ended because the manager is silent")
            match.end()

    def _preview(self, message: Preview, arrived: float) -> str:
        """Build and cache what a match with these rules needs, unless a match is in progress."""
        with self._lock:
            if not self._free(self.match):
                return "done"
            self._end_silent()
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

    def _current(self, name: str) -> MatchInPlay | None:
        with self._lock:
            match = self.match
            return match if match is not None and not match.over and match.id == name else None

    def _play(self, message: Play, arrived: float) -> str:
        match = self._current(message.match)
        if match is None:
            return BUSY
        move = match.play(message.last, arrived)
        return "nil" if move is None else write(move)

    def _end(self, message: Stop | Abort) -> str:
        word = "done" if isinstance(message, Stop) else "aborted"
        match = self._current(message.match)
        if match is None:
            return word if message.match == self._ended else BUSY
        with self._lock:
            self._ended = match.id
        match.end(message.last if isinstance(message, Stop) else None)
        self.log(f"match {match.id}: {'over' if isinstance(message, Stop) else 'aborted'}")
        return word

    def close(self) -> None:
        """End the match in progress."""
        if self.match is not None:
            self.match.end()
        self._runner.close()


def _local_runner(
    agent: Agent | None, make_role_games: RoleGameFactory | None, margin: Margin, log: Callable[[str], object]
) -> MatchRunner:
    from ramify.players.ggp.local_runner import LocalRunner  # noqa: PLC0415  (imports Numba)
    from ramify.players.ggp.role_games import role_games  # noqa: PLC0415

    if agent is None:
        raise RamifyError("a GgpPlayer needs an agent or a runner")
    return LocalRunner(agent, make_role_games or role_games, margin, log)
