"""Ctrl-C at any moment: exit code 130, an optional graceful stop, and never a traceback.

The command line imports this module first, and it imports little itself: until it is loaded, Python's own handler runs.
"""

from __future__ import annotations

import math
import os
import signal
import sys
from contextlib import contextmanager, suppress
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from sys import UnraisableHookArgs
    from types import FrameType
    from typing import NoReturn

INTERRUPTED = 130  # the exit code after Ctrl-C
AGAIN_SECONDS = 0.05
DUPLICATE_SIGNAL_SECONDS = 0.1  # two signals closer than this are one Ctrl-C
IMPORTING = "<frozen importlib._bootstrap>"  # file name of frames that import a module


class StopRequest:
    """``requested`` becomes True at the first Ctrl-C."""

    requested = False


@contextmanager
def graceful_interrupt() -> Iterator[StopRequest]:
    """In this block, Ctrl-C only requests a stop; a second one ends the process at once."""
    stop = StopRequest()
    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN:  # a shell's background job
        yield stop
        return

    def handle(number: int, frame: FrameType | None) -> None:
        del number, frame
        if _is_duplicate():
            return
        if stop.requested:
            _end_at_once()
        stop.requested = True

    signal.signal(signal.SIGINT, handle)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def exit_with_message(message: str = "interrupted") -> NoReturn:
    print(f"ramify: {message}", file=sys.stderr)
    sys.exit(INTERRUPTED)


class Stage:
    """State of the process."""

    command = False  # whether a command has begun; it may print a result after Ctrl-C
    interrupted = -math.inf  # when Ctrl-C was pressed last
    duplicate_seconds = DUPLICATE_SIGNAL_SECONDS


def _is_duplicate() -> bool:
    """Return whether this signal belongs to the last Ctrl-C.

    A program such as ``timeout`` sends it twice, to the process and to its group, and so do a terminal and a supervisor
    together.
    """
    now = monotonic()
    if now - Stage.interrupted <= Stage.duplicate_seconds:
        return True
    Stage.interrupted = now
    return False


def handle_ctrl_c() -> None:
    """Make Ctrl-C raise KeyboardInterrupt where a command can catch it.

    During an import it ends the process, because some modules catch every exception while they are imported. In a
    finalizer, where Python only reports exceptions, the signal is sent again.
    """
    if signal.getsignal(signal.SIGINT) != signal.default_int_handler:
        return
    before = sys.unraisablehook

    def hook(args: UnraisableHookArgs) -> None:
        if args.exc_type is KeyboardInterrupt:
            from threading import Timer

            Stage.interrupted = -math.inf
            Timer(AGAIN_SECONDS, os.kill, (os.getpid(), signal.SIGINT)).start()
        else:
            before(args)

    sys.unraisablehook = hook
    Stage.interrupted = -math.inf
    signal.signal(signal.SIGINT, _handle)


def _handle(number: int, frame: FrameType | None) -> None:
    if _is_duplicate():
        return
    if not Stage.command:
        _end_at_once()
    below = frame
    while below is not None:
        if below.f_code.co_filename == IMPORTING:
            _end_at_once()
        below = below.f_back
    signal.default_int_handler(number, frame)


def _end_at_once() -> NoReturn:
    os.write(2, b"ramify: interrupted\n")
    os._exit(INTERRUPTED)


def exit_interrupted() -> NoReturn:
    """Flush the output and exit with 130.

    If a KeyboardInterrupt has passed through ``eval``, Python would end by the signal although it was caught.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # the reader may have closed it
            stream.flush()
    os._exit(INTERRUPTED)
