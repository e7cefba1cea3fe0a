"""Another program, to which lines are written and from which lines are read, each within a time."""

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
CHUNK = 1 << 16
MAX_LINE_BYTES = 1 << 16  # bytes
MAX_OUTPUT_BYTES = 1 << 20  # bytes before an answer
STDERR_TAIL_BYTES = 2000  # bytes of the error stream, the last ones
EXIT_WAIT_SECONDS = 1.0  # seconds to learn how a program ended whose output has ended
MAX_WAIT_SECONDS = 3600.0  # seconds, at once
QUIT_SECONDS = 0.5  # seconds that a program has to end by itself

Left = Callable[[], float]  # seconds left; the time has run out when that is negative


class EngineProcess:
    """A running program. It ends with us, whatever becomes of us: ``minder``."""

    def __init__(self, words: Sequence[str]) -> None:
        self._process, self._lifeline = _start(words)
        self._in, self._out, self._err = (
            stream.fileno() for stream in (self._process.stdin, self._process.stdout, self._process.stderr) if stream
        )
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        self._unsaid = b""
        self._heard = b""
        self._errors = b""
        self._taken = 0  # bytes since the program was last asked
        self._open = {self._out, self._err}

    def send(self, text: str) -> None:
        """Have something written, as soon as the program reads."""
        self._unsaid += text.encode()
        self._taken = 0

    def read_line(self, left: Left) -> str:
        """The next line without its end. A program that has none in time, or has ended, is at fault."""
        while b"\n" not in self._heard:
            if len(self._heard) > MAX_LINE_BYTES or self._taken > MAX_OUTPUT_BYTES:
                raise Fault(f"wrote {self._taken:,} bytes instead of an answer")
            if self._out not in self._open:
                raise Fault(self._end())
            rest = left()
            if rest < 0:
                raise Fault("did not answer in time", late=True)
            self._exchange(rest)
        line, _, self._heard = self._heard.partition(b"\n")
        return line.decode(errors="replace").strip()

    def waiting(self) -> str | None:
        """A whole line that the program has written already, if there is one."""
        self._exchange(0.0)
        return self.read_line(lambda: 0.0) if b"\n" in self._heard else None

    def _exchange(self, seconds: float) -> None:
        """Write and read what can be, after waiting for it."""
        poller = select.poll()
        for number in self._open:
            poller.register(number, select.POLLIN)
        if self._unsaid:
            poller.register(self._in, select.POLLOUT)
        for number, _ in poller.poll(1000 * min(seconds, MAX_WAIT_SECONDS) + 1 if seconds > 0 else 0):
            if number == self._in:
                self._write()
            else:
                self._read(number)

    def _write(self) -> None:
        try:
            self._unsaid = self._unsaid[os.write(self._in, self._unsaid[:CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:  # it reads no more; its output tells the rest
            self._unsaid = b""

    def _read(self, number: int) -> None:
        try:
            found = os.read(number, CHUNK)
        except BlockingIOError:
            return
        if not found:
            self._open.discard(number)
        elif number == self._out:
            self._heard += found
            self._taken += len(found)
        else:
            self._errors = (self._errors + found)[-STDERR_TAIL_BYTES:]

    def _end(self) -> str:
        """How the program ended, with the last that it wrote to its error stream."""
        self._lifeline.settimeout(EXIT_WAIT_SECONDS)
        try:
            told = self._lifeline.recv(1000).decode()
        except OSError:
            told = ""
        self._exchange(0.0)
        errors = self._errors.decode(errors="replace").split("\n")
        said = next((f": {quoted(line.strip())}" for line in reversed(errors) if line.strip()), "")
        kind, _, code = told.partition(" ")
        if kind != "code":
            return told or f"closed its output{said}"
        number = int(code)
        if number < 0:
            return f"was ended by {signal.Signals(-number).name}{said}"
        return f"ended with exit code {number}{said}"

    def end(self, last: str = "") -> None:
        """End it, and all that it started; ``last`` is said before, and it may then end by itself."""
        try:
            if last:
                self._quit(last)
        finally:
            self._lifeline.close()
            with suppress(ProcessLookupError, PermissionError):  # its number is taken until we have waited for it
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
                if stream:
                    stream.close()

    def _quit(self, last: str) -> None:
        until = perf_counter() + QUIT_SECONDS
        self.send(last)
        while self._out in self._open and (rest := until - perf_counter()) > 0:
            self._heard = b""
            self._exchange(rest)


def _start(words: Sequence[str]) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """A program below its minder, and our end of the line on which the minder hears that we live."""
    ours, theirs = socket.socketpair()
    try:
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", "-S", str(WATCHDOG), str(theirs.fileno()), *words],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            process_group=0,  # which the minder ends as a whole; Ctrl-C in the terminal is for us alone
            env=_environment(),
        )
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return process, ours


def _environment() -> dict[str, str]:
    """Ours; in a worker, with the path of Python modules that the driver was given."""
    found = dict(os.environ)
    if (path := found.pop(OUTER_PATH, None)) is not None:
        found["PYTHONPATH"] = path
    if not found.get("PYTHONPATH"):
        found.pop("PYTHONPATH", None)
    return found
