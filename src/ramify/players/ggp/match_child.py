"""The process of a match: plays it as messages from the player's process say, and reports what it finds.

It receives one Task, then PlayTurn, Given and Finish. It sends tuples: ``("log", text)``, ``("first", move)`` for a
legal move of the initial position, ``("readable",)`` once the rules are read, ``("ready", refusal or None)`` once it is
prepared, and
``("turn", turn, message)`` for each turn. For a PlayTurn it sends ``("best", number, turn, move)`` whenever it knows a
better move, and finally ``("answer", number, turn, move)``.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any

from ramify.agents.agent import Agent, agent
from ramify.errors import RamifyError
from ramify.ggp.checks import raise_on_errors
from ramify.ggp.grounding import GroundingLimits
from ramify.ggp.kif import Term
from ramify.ggp.rules import Rulesheet
from ramify.players.ggp.grounding_lock import GroundingLock
from ramify.players.ggp.match import Match, PlayRequest, failure_text
from ramify.players.ggp.match_messages import Finish, Given, PlayTurn, PreviewTask, Settings, Task
from ramify.players.ggp.role_games import RoleGame, role_games
from ramify.players.ggp.timing import Margin

BEST_SECONDS = 0.05  # between reports of the best move
GROUNDER_MEGABYTES = 1200  # of address space; public rulesheets that can be grounded take up to 670 of memory
TREE_BYTES = 250_000_000  # a match with a full tree uses no more than its share of the memory
NICENESS = 5  # of searchers beside another match: standbys and the player must answer in time
MAX_REQUESTS = 256  # kept in case that the player's process answers them itself


def serve(connection: Connection, settings: Settings, lock: GroundingLock, *, alone: bool) -> None:
    """Do the task that arrives first. ``alone``: there is no other match."""
    sys.setswitchinterval(0.001)  # messages interrupt the search sooner than by default
    task = connection.recv()
    if not alone and (isinstance(task, PreviewTask) or task.engines > 0):
        os.nice(NICENESS)
    if isinstance(task, PreviewTask):
        preview(connection, task, lock)
    else:
        MatchChild(connection, task, agent(settings.agent), Margin(settings.margin), lock).run()


def limited_role_games(engines: int, lock: GroundingLock, rules: Rulesheet, role: Term) -> Iterator[RoleGame]:
    """Yield the first ``engines`` games of these rules: interpreter, propnet."""
    return islice(role_games(rules, role, GroundingLimits(megabytes=GROUNDER_MEGABYTES), lock), engines)


def preview(connection: Connection, task: PreviewTask, lock: GroundingLock) -> None:
    """Build and cache what a match needs."""
    try:
        rules = Rulesheet.from_text(task.rules, "the rules")
        raise_on_errors(rules)
    except RamifyError as error:
        connection.send(("ready", str(error)))
        return
    try:
        kinds = [role_game.kind for role_game in limited_role_games(2, lock, rules, rules.roles[0])]
        connection.send(("log", f"preview: ready to play {kinds[-1]}"))
    except Exception as error:  # noqa: BLE001  (only a preview)
        connection.send(("log", f"preview: {failure_text(error)}"))
    connection.send(("ready", None))


class MatchChild:
    """Connects a match with the player's process."""

    def __init__(self, connection: Connection, task: Task, agent: Agent, margin: Margin, lock: GroundingLock) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._requests: dict[int, PlayRequest] = {}  # by number
        self._reported = 0  # turns that were sent
        self.match = Match(
            task.start,
            agent,
            seed=task.seed,
            margin=margin,
            log=lambda text: self._send("log", text),
            make_role_games=partial(limited_role_games, task.engines, lock),
            history=task.history,
            tree_bytes=TREE_BYTES,
            on_first=lambda move: self._send("first", move),
        )

    def run(self) -> None:
        """Obey until the match or the player ends."""
        self._in_thread(self._report_preparation)
        while True:
            try:
                message = self._connection.recv()
            except (EOFError, OSError):
                return
            match message:
                case PlayTurn():
                    request = self.match.request(message.last, message.arrived)
                    self._requests[message.number] = request
                    self._requests.pop(message.number - MAX_REQUESTS, None)
                    self._in_thread(self._report, message.number, request)
                case Given():
                    self._in_thread(self._give, message)
                case Finish():
                    self.match.finish(message.last)
                    return

    @staticmethod
    def _in_thread(work: Any, *arguments: Any) -> None:
        threading.Thread(target=work, args=arguments, daemon=True).start()

    def _send(self, *message: object) -> None:
        with self._sending:
            self._connection.send(message)

    def _report_preparation(self) -> None:
        self.match.readable.wait()
        if self.match.refusal is None:
            self._send("readable")
        self.match.ready.wait()
        self._send("ready", self.match.refusal)

    def _report(self, number: int, request: PlayRequest) -> None:
        match = self.match
        sent: Term | None = None
        while not match.chosen(request, BEST_SECONDS):
            self._report_turns()
            best = match.best_so_far(request)
            if best is not None and best != sent:
                self._send("best", number, turn_number(request), best)
                sent = best
        answer = match.answer(request)
        self._report_turns()
        self._send("answer", number, turn_number(request), answer)

    def _report_turns(self) -> None:
        with self._sending:
            for last in self.match.started[self._reported :]:
                self._connection.send(("turn", self._reported, last))
                self._reported += 1

    def _give(self, message: Given) -> None:
        """Note an answer that the player's process has given without us."""
        request = self._requests.get(message.number)
        if request is not None:
            request.placed.wait()
            if request.turn is not None:
                request.turn.give(message.move)


def turn_number(request: PlayRequest) -> int | None:
    return None if request.turn is None else request.turn.number
