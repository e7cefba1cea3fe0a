"""Runs a command with users' code in a child process: whatever that code does, the command ends with a sentence.

Compiled code that writes beyond an array may crash its process, and an endless loop in it can only be killed. The
command runs in a fork of this process, on the same terminal. This process waits, and imports nothing heavy.
"""

from __future__ import annotations

import atexit
import mmap
import os
import select
import signal
import struct
import sys
from contextlib import suppress
from time import monotonic

from ramify.cli.interrupts import DUPLICATE_SIGNAL_SECONDS, INTERRUPTED, Stage
from ramify.cli.memory_limit import out_of_memory_text
from ramify.lifeline import end_with_writer
from ramify.time_limits import OVERRUN_SECONDS, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

TICK_SECONDS = 0.25
GRACE_SECONDS = 5.0  # between Ctrl-C and the kill, for a result so far
FORWARDED = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
SHOW_CURSOR = b"\r\x1b[K\x1b[?25h"  # a live display hides it
CRASHES: dict[int, str] = {
    signal.SIGSEGV: "probably because it reads or writes beyond the end of an array",
    signal.SIGBUS: "probably because it reads or writes beyond the end of an array",
    signal.SIGABRT: "probably because it writes beyond the end of an array",
    signal.SIGILL: "probably because it writes beyond the end of an array",
    signal.SIGFPE: "probably because it divides an integer by zero",
}


def run_in_child(files: list[str]) -> None:
    """Return in a child process, which goes on with the command. This process waits for it and exits.

    ``files`` are the users' files that the command may run, for messages; none if the command may crash without them.
    """
    handled = {signal.SIGCHLD, *(number for number in (signal.SIGINT, *FORWARDED) if not _is_ignored(number))}
    clock = SharedClock()
    reading, writing = os.pipe()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if it is ignored, nobody learns how the child ended
    signal.pthread_sigmask(signal.SIG_BLOCK, handled)
    try:
        child = os.fork()
    except OSError:  # no process or memory left: go on without a supervisor
        signal.pthread_sigmask(signal.SIG_UNBLOCK, handled)
        return
    if child:
        os.close(reading)
        Supervisor(child, files, clock).supervise(handled)
    os.close(writing)
    end_with_writer(reading)
    Watch.announce = clock.start
    atexit.register(clock.end)
    Stage.duplicate_seconds = 2 * GRACE_SECONDS  # the supervisor obeys a second Ctrl-C
    signal.pthread_sigmask(signal.SIG_UNBLOCK, handled)


def _is_ignored(number: int) -> bool:
    return signal.getsignal(number) == signal.SIG_IGN


class SharedClock:
    """Time limit of the child's current search, in memory that both processes share."""

    FORMAT = "qd?"  # how many limits there have been, the seconds of the current one (0: none), whether Python ends

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, struct.calcsize(self.FORMAT))
        self._count = 0

    def start(self, seconds: float) -> None:
        """Set the time limit that begins now."""
        self._count += 1
        struct.pack_into(self.FORMAT, self._memory, 0, self._count, seconds, False)

    def end(self) -> None:
        """Note that the child ends by itself."""
        struct.pack_into(self.FORMAT, self._memory, 0, self._count, 0.0, True)

    def read(self) -> tuple[int, float, bool]:
        """Return the number of the current limit, its seconds, and whether the child ends by itself."""
        count, seconds, ending = struct.unpack_from(self.FORMAT, self._memory)
        return count, seconds, ending


class Supervisor:
    """Waits for a child process: forwards signals to it, kills it if it hangs, and says how it ended."""

    def __init__(self, child: int, files: list[str], clock: SharedClock) -> None:
        self.child = child
        self.files = files
        self.clock = clock
        self._terminal = _terminal_state()
        self._limit = 0  # number of the current time limit
        self._spent = 0.0  # seconds since it began; time during which this process was stopped does not count
        self._interrupted: float | None = None  # seconds since Ctrl-C
        self._pressed = 0.0  # when Ctrl-C was pressed

    def supervise(self, handled: set[signal.Signals]) -> NoReturn:
        """Wait until the child has ended, then exit as it did."""
        wakeup, woken = os.pipe()
        os.set_blocking(woken, False)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        for number in handled:
            signal.signal(number, lambda *_: None)  # set_wakeup_fd tells the numbers
        signal.pthread_sigmask(signal.SIG_UNBLOCK, handled)
        before = monotonic()
        while True:
            ended, status = os.waitpid(self.child, os.WNOHANG)
            if ended:
                self._exit(os.waitstatus_to_exitcode(status))
            if select.select([wakeup], [], [], TICK_SECONDS)[0]:
                for received in os.read(wakeup, 1000):
                    self._handle(received)
            now = monotonic()
            self._tick(min(now - before, 2 * TICK_SECONDS))
            before = now

    def _handle(self, number: int) -> None:
        if number in FORWARDED:
            os.kill(self.child, number)
        elif number == signal.SIGINT:
            if self._interrupted is None:
                self._interrupted, self._pressed = 0.0, monotonic()
                os.kill(self.child, signal.SIGINT)  # a terminal has sent it too, and the child counts both as one
            elif monotonic() - self._pressed > DUPLICATE_SIGNAL_SECONDS:
                self._kill("interrupted", INTERRUPTED)

    def _tick(self, seconds: float) -> None:
        """Count the seconds that have passed, and kill a child that hangs."""
        if self._interrupted is not None:
            self._interrupted += seconds
            if self._interrupted > GRACE_SECONDS:
                self._kill(
                    f"interrupted; {self._culprit()} did not stop within {GRACE_SECONDS:g} s, so it was killed",
                    INTERRUPTED,
                )
        number, limit, _ = self.clock.read()
        if number != self._limit:
            self._limit, self._spent = number, 0.0
        self._spent += seconds
        if limit and self._spent > limit + OVERRUN_SECONDS:
            self._kill(
                f"{self._culprit()} did not return within {OVERRUN_SECONDS:g} s after its time was up, so it was"
                f" killed: it probably has an endless loop; {self._advice()}",
                2,
            )

    def _kill(self, message: str, code: int) -> NoReturn:
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        self._end(message, code)

    def _exit(self, code: int) -> NoReturn:
        """Exit as the child did; after a crash, with a message."""
        if code >= 0:
            *_, ending = self.clock.read()
            if self.files and not ending and code != INTERRUPTED:
                self._end(f"{self._culprit()} ended the process with exit code {code}", 2)
            os._exit(code)
        number = -code
        if number == signal.SIGKILL or (number in CRASHES and not self.files):
            self._end(
                f"{self._culprit()} was killed ({signal.Signals(number).name}), probably {out_of_memory_text()}", 2
            )
        if number in CRASHES:
            self._end(
                f"{self._culprit()} crashed ({signal.Signals(number).name}), {CRASHES[number]}; {self._advice()}", 2
            )
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        os._exit(128 + number)  # if it could be ignored

    def _end(self, message: str, code: int) -> NoReturn:
        _restore_terminal(self._terminal)
        with suppress(OSError):
            os.write(2, f"ramify: {message}\n".encode(errors="replace"))
        os._exit(code)

    def _culprit(self) -> str:
        """Name the files that the command may have run."""
        if not self.files:
            return "the command"
        return self.files[0] if len(self.files) == 1 else f"one of {', '.join(self.files)}"

    def _advice(self) -> str:
        """Say how to find the error."""
        if sys.argv[1:2] in (["check-game"], ["check-policy"]):
            return "with NUMBA_DISABLE_JIT=1 the same command may name the line"
        if len(self.files) != 1:
            return "check them with `ramify check-game` or `ramify check-policy`"
        [file] = self.files
        return f"for details run `ramify {'check-policy' if ':' in file else 'check-game'} {file}`"


def _terminal_state() -> list[Any] | None:
    """Return the settings of the terminal that is standard input, or None."""
    import termios

    try:
        return termios.tcgetattr(0)
    except termios.error:
        return None


def _restore_terminal(state: list[Any] | None) -> None:
    """Undo what a killed process may have done to the terminal."""
    import termios

    with suppress(OSError, termios.error):
        if state is not None and os.tcgetpgrp(0) == os.getpgrp():
            termios.tcsetattr(0, termios.TCSADRAIN, state)
    with suppress(OSError):
        if os.isatty(2):
            os.write(2, SHOW_CURSOR)
