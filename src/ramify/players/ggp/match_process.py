"""A match that runs in its own process.

This side never waits for that process longer than the clock allows, and holds an answer to every turn: the last move
that the process reported. If the process dies, another one replays the match and continues with fewer engines.
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

ALL_ENGINES = 2
RESULT_SECONDS = 2.0  # to log the result of a match
POLL_SECONDS = 1.0  # between checks whether the manager is silent
MAX_UNPLACED = 16  # messages kept for a process that replays the match
HOW = {1: "with the interpreter only", 0: "with random legal moves", -1: "with guesses"}  # by number of engines


class Request:
    """A play message that is not answered yet."""

    def __init__(self, last: LastTurn | None, arrived: float) -> None:
        self.last = last
        self.arrived = arrived
        self.turn: int | None = None  # number of its turn, once that is known
        self.move: Term | None = None  # the best move known
        self.done = False


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
        self._engines = ALL_ENGINES  # of the process; negative: there is none any more
        self._turns: list[PlayedTurn] = []
        self._unplaced: list[PlayedTurn] = []  # messages answered before the process knew their turns
        self._requests: dict[int, Request] = {}  # unanswered, by number
        self._number = 0
        self._guess: Term | None = None  # our last move
        with self._changed:
            self._process = self._launch()

    @property
    def id(self) -> str:
        """The manager's name of the match."""
        return self.start.match

    def _launch(self) -> ChildProcess:
        """Start a process that replays the match and chooses moves for the unanswered messages."""
        turns = self._turns
        if self._requests and turns and turns[-1][1] is None:
            turns = turns[:-1]  # an unanswered message starts it again
        process = self.launcher.launch(Task(self.start, self.seed, self._engines, (*turns, *self._unplaced)))
        for number, request in self._requests.items():
            process.send(PlayTurn(number, request.last, request.arrived))
        threading.Thread(target=self._listen, args=(process,), name="listener", daemon=True).start()
        return process

    def _listen(self, process: ChildProcess) -> None:
        """Handle what a process sends until it ends. End the match if its manager is gone."""
        reason = "it closed its connection"
        while (message := process.receive(POLL_SECONDS)) is not None:
            if message[:1] == ("ended",):
                reason = message[1]
            elif message:
                self._handle(*message)
            elif self.manager.silent and not self.over:
                self.log(f"match {self.id}: ended because the manager is silent")
                self.end()
        with self._changed:
            if not self.over and process is self._process:
                self._continue_without(reason)
            self._changed.notify_all()

    def _handle(self, kind: str, *content: Any) -> None:
        """Handle a message of the process."""
        with self._changed:
            if kind == "log":
                self.log(*content)
            elif kind == "readable":
                self._readable = True
            elif kind == "ready":
                self._prepared(*content)
            elif kind == "turn":
                number, last = content
                answer = next((move for message, move in self._unplaced if message == last), None)
                self._unplaced = [one for one in self._unplaced if one[0] != last]
                if number == len(self._turns):
                    self._turns.append((last, answer))
            else:
                number, turn, move = content
                if request := self._requests.get(number):
                    request.turn = turn
                    request.move = move
                    request.done = kind == "answer"
            self._changed.notify_all()

    def _prepared(self, refusal: str | None) -> None:
        if refusal is not None and self._readable:  # an earlier process could play these rules
            self.log(f"match {self.id}: cannot continue: {refusal}")
            self._engines = -1
        elif refusal is not None:
            self.refusal = refusal
        self._ready = True

    def _continue_without(self, reason: str) -> None:
        """Continue after the process died: without the engine that may be to blame."""
        if not self._readable:
            self.refusal = f"cannot read the rules: the process that reads them has died: {reason}"
            self._ready, self._engines = True, -1
            return
        self._engines -= 1
        self.log(f"match {self.id}: the process of the match has died: {reason}; continuing {HOW[self._engines]}")
        if self._engines >= 0:
            self._process = self._launch()

    def wait_until_ready(self, arrived: float) -> None:
        """Wait until preparation is complete or the start clock runs out."""
        clock = self.start.start_clock
        deadline = arrived + clock - self.margin.for_clock(clock)
        with self._changed:
            self._changed.wait_for(lambda: self._ready or self.over, max(0.0, deadline - monotonic()))

    def play(self, last: LastTurn | None, arrived: float) -> Term | None:
        """Return the move to play after the last turn. If none is known in time, guess; None before the first turn."""
        self.manager.heard()
        request = Request(last, arrived)
        with self._changed:
            number = self._number = self._number + 1
            self._requests[number] = request
            self._process.send(PlayTurn(number, last, arrived))
            seconds = max(0.0, self.times.last_moment(arrived) - monotonic())
            self._changed.wait_for(lambda: request.done or self.over or self._engines < 0, seconds)
            del self._requests[number]
            if not request.done or request.turn is None:
                self._answer_alone(number, request)
            if request.turn is not None and request.turn < len(self._turns):
                self._turns[request.turn] = (self._turns[request.turn][0], request.move)
            self._guess = request.move
            return request.move

    def _answer_alone(self, number: int, request: Request) -> None:
        """Choose the best move so far, or guess if the process has found no legal move."""
        how = "best so far"
        if request.move is None:
            how, request.move = "a guess", self._guess
            self._unplaced = [*self._unplaced, (request.last, request.move)][-MAX_UNPLACED:]
        if request.move is not None and not self.over:
            self.log(f"match {self.id}: {write(request.move)} ({how}: no answer of the process of the match)")
            self._process.send(Given(number, request.move))

    def end(self, last: LastTurn | None = None) -> None:
        """End the match and its process. If the last turn is given, the process may log the result first."""
        with self._changed:
            self.over = True
            if last is None or not self._readable:
                self._process.kill()
            else:
                self._process.send(Finish(last))
                killer = threading.Timer(RESULT_SECONDS, self._process.kill)
                killer.daemon = True
                killer.start()
            self._changed.notify_all()
