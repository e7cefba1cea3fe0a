"""A running engine: send lines to it and read lines from it, with timeouts."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter

from ramify.players.faults import Fault, quoted
from ramify.runs.pools.local import OUTER_PATH

WATCHDOG = Path(__file__).with_name("watchdog.py")
PIPE_BYTES = 1 << 16  # per read or write
MAX_LINE_BYTES = 1 << 16
MAX_OUTPUT_BYTES = 1 << 20  # before an answer
STDERR_TAIL_BYTES = 2000  # kept for error messages
EXIT_WAIT_SECONDS = 1.0  # to get the exit code after the output was closed
MAX_WAIT_SECONDS = 3600.0  # per poll
QUIT_SECONDS = 0.5  # to exit after the closing message

SecondsLeft = Callable[[], float]  # remaining seconds; negative: time is up


class EngineProcess:
    """A running engine. ``watchdog`` kills it when this process ends, however that happens."""

    def __init__(self, argv: Sequence[str]) -> None:
        self._process, self._lifeline = _start(argv)
        self._in, self._out, self._err = (
            stream.fileno() for stream in (self._process.stdin, self._process.stdout, self._process.stderr) if stream
        )
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        self._unsent = b""
        self._received = b""
        self._errors = b""
        self._received_bytes = 0  # since the last ``send``
        self._open = {self._out, self._err}

    def send(self, text: str) -> None:
        """Queue text; it is written as soon as the engine reads."""
        self._unsent += text.encode()
        self._received_bytes = 0

    def read_line(self, left: SecondsLeft) -> str:
        """Return the next line, stripped. Raise Fault if none arrives in time or the engine has exited."""
        while b"\n" not in self._received:
            if len(self._received) > MAX_LINE_BYTES or self._received_bytes > MAX_OUTPUT_BYTES:
                raise Fault(f"wrote {self._received_bytes:,} bytes instead of an answer")
            if self._out not in self._open:
                raise Fault(self._exit_text())
            rest = left()
            if rest < 0:
                raise Fault("did not answer in time", late=True)
            self._exchange(rest)
        line, _, self._received = self._received.partition(b"\n")
        return line.decode(errors="replace").strip()

    def pending_line(self) -> str | None:
        """Return a complete line that has already arrived, or None."""
        self._exchange(0.0)
        return self.read_line(lambda: 0.0) if b"\n" in self._received else None

    def _exchange(self, seconds: float) -> None:
        """Wait up to ``seconds``, then write and read whatever is possible."""
        poller = select.poll()
        for number in self._open:
            poller.register(number, select.POLLIN)
        if self._unsent:
            poller.register(self._in, select.POLLOUT)
        for number, _ in poller.poll(1000 * min(seconds, MAX_WAIT_SECONDS) + 1 if seconds > 0 else 0):
            if number == self._in:
                self._write()
            else:
                self._read(number)

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._in, self._unsent[:PIPE_BYTES]) :]
        except BlockingIOError:
            return
        except OSError:  # it no longer reads; ``read_line`` reports why
            self._unsent = b""

    def _read(self, number: int) -> None:
        try:
            found = os.read(number, PIPE_BYTES)
        except BlockingIOError:
            return
        if not found:
            self._open.discard(number)
        elif number == self._out:
            self._received += found
            self._received_bytes += len(found)
        else:
            self._errors = (self._errors + found)[-STDERR_TAIL_BYTES:]

    def _exit_text(self) -> str:
        """Return how the engine exited, with the last line of its standard error."""
        self._lifeline.settimeout(EXIT_WAIT_SECONDS)
        try:
            message = self._lifeline.recv(1000).decode()
        except OSError:
            message = ""
        self._exchange(0.0)
        errors = self._errors.decode(errors="replace").split("\n")
        last_line = next((f": {quoted(line.strip())}" for line in reversed(errors) if line.strip()), "")
        kind, _, code = message.partition(" ")
        if kind != "code":
            return message or f"closed its output{last_line}"
        number = int(code)
        if number < 0:
            names = {one.value: one.name for one in signal.Signals}  # real-time signals have none
            return f"was killed by {names.get(-number, f'signal {-number}')}{last_line}"
        return f"exited with code {number}{last_line}"

    def end(self, last: str = "") -> None:
        """Send ``last``, wait a moment for the engine to exit, then kill its process group."""
        try:
            if last:
                self._quit(last)
        finally:
            self._lifeline.close()
            with suppress(ProcessLookupError, PermissionError):  # the pid is not reused before wait()
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                if stream:
                    stream.close()

    def _quit(self, last: str) -> None:
        deadline = perf_counter() + QUIT_SECONDS
        self.send(last)
        while self._out in self._open and (rest := deadline - perf_counter()) > 0:
            self._received = b""
            self._exchange(rest)


def _start(argv: Sequence[str]) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start an engine under its watchdog. Return the process and our end of the lifeline."""
    ours, theirs = socket.socketpair()
    try:
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", "-S", str(WATCHDOG), str(theirs.fileno()), *argv],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            process_group=0,  # the watchdog kills the whole group; Ctrl-C in the terminal does not reach it
            env=_environment(),
        )
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return process, ours


def _environment() -> dict[str, str]:
    """Return our environment; in a worker process, with the driver's PYTHONPATH."""
    environment = dict(os.environ)
    if (path := environment.pop(OUTER_PATH, None)) is not None:
        environment["PYTHONPATH"] = path
    if not environment.get("PYTHONPATH"):
        environment.pop("PYTHONPATH", None)
    return environment
