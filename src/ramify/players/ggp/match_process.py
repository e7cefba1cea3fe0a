"""A match that runs in two processes of its own.

The *searcher* chooses moves. The *standby* only interprets the rules: it reports a legal move for every turn before the
searcher has thought much, so there is one whatever becomes of the searcher. This side never waits for either longer
than the clock allows. A searcher that dies is replaced by one with fewer engines, a standby that dies by another one;
both replay the match.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

from ramify.ggp.kif import Term, write
from ramify.players.ggp.match_messages import Finish, Given, PlayedTurn, PlayTurn, Task
from ramify.players.ggp.messages import LastTurn, Start
from ramify.players.ggp.process_launcher import ChildProcess, Launcher
from ramify.players.ggp.timing import ManagerClock, Margin, TurnTimes

Log = Callable[[str], object]

ALL_ENGINES = 2  # of the searcher
RESULT_SECONDS = 2.0  # to log the result of a match
POLL_SECONDS = 1.0  # between checks whether the manager is silent
MAX_STANDBYS = 4  # that replace each other during one turn
MAX_UNPLACED = 16  # messages kept for a process that replays the match
HOW = {1: "with the interpreter only", 0: "with random legal moves"}  # by number of engines


class Request:
    """A play message that is not answered yet."""

    def __init__(self, last: LastTurn | None, arrived: float) -> None:
        self.last = last
        self.arrived = arrived
        self.turn: int | None = None  # number of its turn, once that is known
        self.best: Term | None = None  # the searcher's best move
        self.legal: Term | None = None  # the standby's move
        self.searched = False  # whether the searcher has answered
        self.interpreted = False  # whether the standby has answered


class MatchProcess:
    """A match in play, seen from the player's process."""

    def __init__(self, start: Start, *, seed: int, margin: Margin, log: Log, launcher: Launcher) -> None:
        self.start = start
        self.seed = seed
        self.margin = margin
        self.log = log
        self.launcher = launcher
        self.times = TurnTimes(start.play_clock, margin)
        self.manager = ManagerClock(start.start_clock, start.play_clock)
        self.over = False
        self.refusal: str | None = None  # why the rules cannot be played
        self._changed = threading.Condition()
        self._readable = False
        self._ready = False
        self._engines = ALL_ENGINES
        self._turns: list[PlayedTurn] = []
        self._unplaced: list[PlayedTurn] = []  # messages answered before a process knew their turns
        self._requests: dict[int, Request] = {}  # unanswered, by number
        self._number = 0  # of the last request
        self._standbys_left = MAX_STANDBYS  # until the next request
        self._guess: Term | None = None  # our last move; before it, a legal move of the initial position
        with self._changed:
            self._standby: ChildProcess | None = self._launch(engines=0)
            self._searcher: ChildProcess | None = self._launch(self._engines)

    @property
    def id(self) -> str:
        """The manager's name of the match."""
        return self.start.match

    def _launch(self, engines: int) -> ChildProcess:
        """Start a process that replays the match and chooses moves for the unanswered messages."""
        turns = self._turns
        if self._requests and turns and turns[-1][1] is None:
            turns = turns[:-1]  # an unanswered message starts it again
        process = self.launcher.launch(Task(self.start, self.seed, engines, (*turns, *self._unplaced)))
        for number, request in self._requests.items():
            process.send(PlayTurn(number, request.last, request.arrived))
        threading.Thread(target=self._listen, args=(process,), name="listener", daemon=True).start()
        return process

    def _send(self, message: PlayTurn | Given) -> None:
        for process in (self._standby, self._searcher):
            if process is not None:
                process.send(message)

    def _listen(self, process: ChildProcess) -> None:
        """Handle what a process sends until it ends. End the match if its manager is gone."""
        reason = "it closed its connection"
        while (message := process.receive(POLL_SECONDS)) is not None:
            if message[:1] == ("ended",):
                reason = message[1]
            elif message:
                self._handle(process, *message)
            elif self.manager.silent and not self.over:
                self.log(f"match {self.id}: ended because the manager is silent")
                self.end()
        with self._changed:
            if not self.over:
                if process is self._searcher:
                    self._searcher = None
                    self._continue_without_searcher(reason)
                elif process is self._standby:
                    self._standby = None
                    self._continue_without_standby(reason)
            self._changed.notify_all()

    def _handle(self, process: ChildProcess, kind: str, *content: Any) -> None:
        """Handle a message of a process."""
        with self._changed:
            searching = process is self._searcher
            if kind == "log":
                if searching or self.over:  # the standby would repeat what the searcher says, except the result
                    self.log(*content)
            elif kind == "first":
                self._guess = self._guess or content[0]
            elif kind == "readable":
                self._read()
            elif kind == "ready":
                self._prepared(searching, *content)
            elif kind == "turn":
                self._turn_began(*content)
            elif request := self._requests.get(content[0]):
                self._note_move(request, searching, kind == "answer", *content[1:])
            self._changed.notify_all()

    def _read(self) -> None:
        if not self._readable:
            self._readable = True
            if self._searcher is None:  # it has died before
                self._continue_searching()
            if self._standby is None:
                self._replace_standby()

    def _prepared(self, searching: bool, refusal: str | None) -> None:
        if refusal is not None and self._readable:  # an earlier process could play these rules
            self.log(f"match {self.id}: cannot continue: {refusal}")
        elif refusal is not None:
            self.refusal = refusal
        self._ready = self._ready or searching or self.refusal is not None

    def _turn_began(self, number: int, last: LastTurn | None) -> None:
        answer = next((move for message, move in self._unplaced if message == last), None)
        self._unplaced = [one for one in self._unplaced if one[0] != last]
        if number == len(self._turns):
            self._turns.append((last, answer))
            self.manager.advanced()

    def _note_move(
        self, request: Request, searching: bool, answered: bool, turn: int | None, move: Term | None
    ) -> None:
        if turn is not None:
            request.turn = turn
        if searching:
            request.best = move
            request.searched = answered
        else:
            request.legal = move
            request.interpreted = answered

    def _continue_without_searcher(self, reason: str) -> None:
        """Continue without the engine that may be to blame."""
        self._engines -= 1
        self.log(f"match {self.id}: the process of the match has died: {reason}; continuing {HOW[self._engines]}")
        if self._readable:
            self._continue_searching()
        elif self._standby is None:
            self._refuse(reason)

    def _continue_searching(self) -> None:
        if self._engines > 0:
            self._searcher = self._launch(self._engines)
        else:
            self._ready = True

    def _continue_without_standby(self, reason: str) -> None:
        """Replace the standby, but only a few times per play message: the position may be to blame."""
        if not self._readable:
            if self._searcher is None:
                self._refuse(reason)
        elif self._standbys_left > 0:
            self._replace_standby()

    def _replace_standby(self) -> None:
        self._standbys_left -= 1
        self._standby = self._launch(engines=0)

    def _refuse(self, reason: str) -> None:
        self.refusal = f"cannot read the rules: the process that reads them has died: {reason}"
        self._ready = True

    def wait_until_ready(self, arrived: float) -> None:
        """Wait until preparation is complete or the start clock runs out."""
        clock = self.start.start_clock
        deadline = arrived + clock - self.margin.for_clock(clock)
        with self._changed:
            self._changed.wait_for(lambda: self._ready or self.over, max(0.0, deadline - monotonic()))

    def play(self, last: LastTurn | None, arrived: float) -> Term | None:
        """Return the move to play after the last turn. If none is known in time, guess; None if none was ever known."""
        self.manager.heard()
        request = Request(last, arrived)
        with self._changed:
            number = self._number = self._number + 1
            self._send(PlayTurn(number, last, arrived))
            self._requests[number] = request
            self._standbys_left = MAX_STANDBYS
            if self._standby is None and not self.over:
                self._replace_standby()
            seconds = max(0.0, self.times.last_moment(arrived) - monotonic())
            self._changed.wait_for(lambda: self._settled(request), seconds)
            del self._requests[number]
            move = self._choose(request)
            if move is None:
                return None
            if not (request.searched and request.interpreted and request.best == request.legal):
                self._send(Given(number, move))
            if request.turn is not None and request.turn < len(self._turns):
                self._turns[request.turn] = (self._turns[request.turn][0], move)
            self._guess = move
            return move

    def _settled(self, request: Request) -> bool:
        """Whether nothing better can be expected."""
        if self.over or (request.searched and request.best is not None):
            return True
        return (request.searched or self._searcher is None) and (request.interpreted or self._standby is None)

    def _choose(self, request: Request) -> Term | None:
        """Return the searcher's move, its best so far, the standby's move, or a guess."""
        if request.best is not None:
            move, how = request.best, "" if request.searched else "best so far"
        elif request.legal is not None:
            move, how = request.legal, "a random legal move"
        else:
            self._unplaced = [*self._unplaced, (request.last, self._guess)][-MAX_UNPLACED:]
            if self._guess is None:
                return None
            move, how = self._guess, "a guess"
        if how and not self.over:
            self.log(f"match {self.id}: {write(move)} ({how}: no answer of the process of the match)")
        return move

    def end(self, last: LastTurn | None = None) -> None:
        """End the match and its processes. If the last turn is given, the standby may log the result first."""
        with self._changed:
            self.over = True
            if self._searcher is not None:
                self._searcher.kill()
            if self._standby is not None:
                if last is None or not self._readable:
                    self._standby.kill()
                else:
                    self._standby.send(Finish(last))
                    killer = threading.Timer(RESULT_SECONDS, self._standby.kill)
                    killer.daemon = True
                    killer.start()
            self._changed.notify_all()
