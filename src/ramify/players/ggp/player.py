"""A player: what it answers to a game manager, one match at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic

from ramify.agents.agent import Agent
from ramify.errors import RamifyError
from ramify.ggp.checks import raise_on_errors
from ramify.ggp.kif import write
from ramify.ggp.rules import Rulesheet
from ramify.players.ggp.match import BoardsMaker, Match, failure_text
from ramify.players.ggp.messages import Abort, Info, Message, Play, Preview, Start, Stop, read_message
from ramify.players.ggp.timing import Margin
from ramify.runs.seeds import derive

BUSY = "busy"


class GgpPlayer:
    """Answers messages, from any number of threads."""

    def __init__(
        self,
        agent: Agent,
        *,
        name: str,
        seed: int,
        make_boards: BoardsMaker,
        margin: Margin | None = None,
        say: Callable[[str], object] = lambda _: None,
    ) -> None:
        self.agent = agent
        self.name = name
        self.seed = seed
        self.make_boards = make_boards
        self.margin = margin or Margin()
        self.say = say
        self.match: Match | None = None  # the one in play
        self._ended: str | None = None  # the name of the last one
        self._played = 0  # matches begun
        self._lock = threading.Lock()

    def answer(self, text: str, arrived: float | None = None) -> str:
        """The reply to a message that has ``arrived`` at that time; what is no message is refused with a sentence."""
        arrived = monotonic() if arrived is None else arrived
        return self.reply(read_message(text), arrived)

    def reply(self, message: Message, arrived: float) -> str:
        """The reply to a message."""
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
        """Whether a match can begin."""
        return "available" if self._free(self.match) else BUSY

    @staticmethod
    def _free(match: Match | None) -> bool:
        return match is None or match.over or match.silent

    def _start(self, message: Start, arrived: float) -> str:
        with self._lock:
            match = self.match
            if match is None or match.over or match.start != message:
                if not self._free(match):
                    return BUSY
                if match is not None and not match.over:
                    self.say(f"match {match.id}: the manager is gone; another match begins")
                    match.end()
                match = self.match = self._new(message)
            match.heard = monotonic()
        match.wait_until_ready(arrived)
        if match.refusal is not None:
            with self._lock:
                match.over = True
            self.say(f"match {match.id}: it cannot be played: {match.refusal}")
            raise RamifyError(match.refusal)
        return "ready"

    def _preview(self, message: Preview, arrived: float) -> str:
        """Make what a match by these rules would need, which is kept, unless there is a match in play."""
        rules = Rulesheet.from_text(message.rules, "the rules")
        raise_on_errors(rules)
        if self._free(self.match):
            work = threading.Thread(target=self._look_ahead, args=(rules,), name="preview", daemon=True)
            work.start()
            work.join(max(0.0, arrived + message.clock - self.margin.for_clock(message.clock) - monotonic()))
        return "done"

    def _look_ahead(self, rules: Rulesheet) -> None:
        try:
            kinds = [board.kind for board in self.make_boards(rules, rules.roles[0])]
            self.say(f"rules that were shown can be played {kinds[-1]}")
        except Exception as error:  # noqa: BLE001  (nothing depends on it)
            self.say(f"rules that were shown: {failure_text(error)}")

    def _new(self, message: Start) -> Match:
        self._played += 1
        self.say(
            f"match {message.match} begins: role {write(message.role)}, start clock {message.start_clock:g} s,"
            f" play clock {message.play_clock:g} s"
        )
        return Match(
            message,
            self.agent,
            seed=derive(self.seed, self._played),
            margin=self.margin,
            say=self.say,
            make_boards=self.make_boards,
        )

    def _current(self, name: str) -> Match | None:
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
        self.say(f"match {match.id}: {'over' if isinstance(message, Stop) else 'broken off'}")
        return word

    def close(self) -> None:
        """End what is running."""
        if self.match is not None:
            self.match.end()
