"""Processes of matches, seen from the player's process. The supervisor forks and kills them."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe, reduction
from multiprocessing.connection import Connection
from typing import Any

from ramify.errors import RamifyError
from ramify.players.ggp.match_messages import Finish, Fork, Given, Kill, PlayTurn, PreviewTask, Settings, Task

MATCH_MEGABYTES = 1400  # of all matches together; the player with all its processes stays below 2 GB
STOP_SECONDS = 1.0  # for the supervisor to kill its processes and to end
PROGRAM = "from ramify.players.ggp.supervisor import main; main()"

Sent = Task | PreviewTask | PlayTurn | Given | Finish


class ChildProcess:
    """A process of a match or preview. Sending never blocks."""

    def __init__(self, connection: Connection, kill: Callable[[], None]) -> None:
        self.kill = kill
        self._connection = connection
        self._outgoing: queue.SimpleQueue[Sent | None] = queue.SimpleQueue()
        threading.Thread(target=self._send_all, name="sender", daemon=True).start()

    def send(self, message: Sent) -> None:
        """Send a message, as soon as the process reads it."""
        self._outgoing.put(message)

    def _send_all(self) -> None:
        """Send messages until ``close``, then close the connection.

        Closing it anywhere else could make this thread write to another connection that gets the same number.
        """
        while (message := self._outgoing.get()) is not None:
            with suppress(OSError):  # the process has ended
                self._connection.send(message)
        self._connection.close()

    def receive(self, seconds: float) -> tuple[Any, ...] | None:
        """Return the next message; an empty one if none comes in so many seconds; None if the process has ended."""
        try:
            return self._connection.recv() if self._connection.poll(seconds) else ()
        except Exception:  # noqa: BLE001  (a process that is killed may leave half a message)
            self.close()
            return None

    def close(self) -> None:
        """Close the connection. Only who receives may call this."""
        self._outgoing.put(None)


class Launcher:
    """Starts processes of matches and previews."""

    def __init__(self, agent: str, margin: float | None, megabytes: int = MATCH_MEGABYTES) -> None:
        self._settings = Settings(agent, margin, megabytes, os.getpid())
        self._lock = threading.Lock()
        self._number = 0
        self._warm = False  # until then the supervisor does not listen
        self._start()

    def _start(self) -> None:
        self._control, theirs = Pipe()
        with theirs:
            self._supervisor = subprocess.Popen(  # noqa: S603  (our own program)
                [sys.executable, "-c", PROGRAM, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                process_group=0,  # Ctrl-C in the terminal does not reach it
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # a process with threads cannot be forked safely
            )
        self._control.send(self._settings)

    def wait_until_warm(self, on_compilation: Callable[[], object]) -> None:
        """Wait until everything is compiled. Raise RamifyError if the agent cannot play rulesheets.

        Repeats warnings about old names in the agent's text.
        """
        while True:
            try:
                message = self._control.recv()
            except (EOFError, OSError):
                raise RamifyError(f"cannot prepare matches: exit code {self._supervisor.wait()}") from None
            if isinstance(message, RamifyError):
                raise message
            if message == "warm":
                self._warm = True
                return
            if isinstance(message, Warning):
                warnings.warn(message, stacklevel=2)
            else:
                on_compilation()

    def launch(self, task: Task | PreviewTask) -> ChildProcess:
        """Start a process."""
        match = task.start.match if isinstance(task, Task) else ""
        ours, theirs = Pipe()
        with self._lock, theirs:
            self._number += 1
            number = self._number
            try:
                self._fork(Fork(number, match), theirs)
            except OSError:  # the supervisor was killed
                self._stop()
                self._start()
                self._fork(Fork(number, match), theirs)
        process = ChildProcess(ours, lambda: self._kill(number))
        process.send(task)
        return process

    def _fork(self, message: Fork, theirs: Connection) -> None:
        self._control.send(message)
        reduction.send_handle(self._control, theirs.fileno(), self._supervisor.pid)

    def _kill(self, number: int) -> None:
        with self._lock, suppress(OSError):  # without a supervisor there is no process either
            self._control.send(Kill(number))

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        self._control.close()
        try:
            self._supervisor.wait(STOP_SECONDS if self._warm else 0)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()
