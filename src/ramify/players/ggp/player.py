"""A GGP player: answers the messages of a game manager, one match at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic

from ramify.agents.agent import Agent
from ramify.errors import RamifyError
from ramify.ggp.checks import raise_on_errors
from ramify.ggp.kif import write
from ramify.ggp.rules import Rulesheet
from ramify.old_names import note
from ramify.players.ggp.match import Match, RoleGameFactory, failure_text
from ramify.players.ggp.messages import Abort, Info, Message, Play, Preview, Start, Stop, read_message
from ramify.players.ggp.role_games import role_games
from ramify.players.ggp.timing import Margin
from ramify.runs.seeds import derive

BUSY = "busy"


class GgpPlayer:
    """Answers messages. Thread-safe."""

    def __init__(
        self,
        agent: Agent,
        *,
        name: str,
        seed: int,
        make_role_games: RoleGameFactory = role_games,
        margin: Margin | None = None,
        log: Callable[[str], object] = lambda _: None,
        make_boards: RoleGameFactory | None = None,
    ) -> None:
        if make_boards is not None:
            note("GgpPlayer(make_boards=...)", "make_role_games")
        self.agent = agent
        self.name = name
        self.seed = seed
        self.make_role_games = make_boards or make_role_games
        self.margin = margin or Margin()
        self.log = log
        self.match: Match | None = None  # in progress
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
    def _free(match: Match | None) -> bool:
        return match is None or match.over or match.silent

    def _start(self, message: Start, arrived: float) -> str:
        with self._lock:
            match = self.match
            if match is None or match.over or match.start != message:
                if not self._free(match):
                    return BUSY
                if match is not None and not match.over:
                    self.log(f"match {match.id}: ended because the manager is silent and another match starts")
                    match.end()
                match = self.match = self._new(message)
            match.last_message = monotonic()
        match.wait_until_ready(arrived)
        if match.refusal is not None:
            with self._lock:
                match.over = True
            self.log(f"match {match.id}: cannot play these rules: {match.refusal}")
            raise RamifyError(match.refusal)
        return "ready"

    def _preview(self, message: Preview, arrived: float) -> str:
        """Build and cache what a match with these rules needs, unless a match is in progress."""
        rules = Rulesheet.from_text(message.rules, "the rules")
        raise_on_errors(rules)
        if self._free(self.match):
            work = threading.Thread(target=self._prepare_preview, args=(rules,), name="preview", daemon=True)
            work.start()
            work.join(max(0.0, arrived + message.clock - self.margin.for_clock(message.clock) - monotonic()))
        return "done"

    def _prepare_preview(self, rules: Rulesheet) -> None:
        try:
            kinds = [role_game.kind for role_game in self.make_role_games(rules, rules.roles[0])]
            self.log(f"preview: ready to play {kinds[-1]}")
        except Exception as error:  # noqa: BLE001  (only a preview)
            self.log(f"preview: {failure_text(error)}")

    def _new(self, message: Start) -> Match:
        self._played += 1
        self.log(
            f"match {message.match} starts: role {write(message.role)}, start clock {message.start_clock:g} s,"
            f" play clock {message.play_clock:g} s"
        )
        return Match(
            message,
            self.agent,
            seed=derive(self.seed, self._played),
            margin=self.margin,
            log=self.log,
            make_role_games=self.make_role_games,
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
        self.log(f"match {match.id}: {'over' if isinstance(message, Stop) else 'aborted'}")
        return word

    def close(self) -> None:
        """End the match in progress."""
        if self.match is not None:
            self.match.end()
