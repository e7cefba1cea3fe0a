"""Ctrl-C at any moment: an exit code, a way to be asked instead of torn out of the work, and no traceback.

This is the first that the command line imports, and it imports little itself: before, Python has the word.
"""

from __future__ import annotations

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
DUPLICATE_SIGNAL_SECONDS = 0.1  # two signals so close are one Ctrl-C
IMPORTING = "<frozen importlib._bootstrap>"  # the file of whoever imports, as frames have it


class StopRequest:
    """Whether somebody has asked to stop."""

    requested = False


@contextmanager
def graceful_interrupt() -> Iterator[StopRequest]:
    """In the block Ctrl-C only asks to stop; a second one ends the process at once.

    Programs such as ``timeout`` send one Ctrl-C twice: to the process, then to its group. That is not a second one.
    """
    stop = StopRequest()
    first = 0.0
    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN:  # as a shell has it for jobs in the background
        yield stop
        return

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal first
        del number, frame
        if not stop.requested:
            stop.requested, first = True, monotonic()
        elif monotonic() - first > DUPLICATE_SIGNAL_SECONDS:
            _end_at_once()

    signal.signal(signal.SIGINT, handle)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def exit_with_message(sentence: str = "interrupted") -> NoReturn:
    """Say that Ctrl-C ended the command, and end it."""
    print(f"ramify: {sentence}", file=sys.stderr)
    sys.exit(INTERRUPTED)


class Stage:
    """How far the process is."""

    command = False  # whether a command has begun, which may have something to say


def handle_ctrl_c() -> None:
    """Have Ctrl-C raise KeyboardInterrupt wherever that is heard; elsewhere it ends the process, or comes again.

    Modules of others may catch everything while they are imported, so that nobody would hear of it. In a finalizer
    Python can only report what was raised.
    """
    if signal.getsignal(signal.SIGINT) != signal.default_int_handler:
        return
    before = sys.unraisablehook

    def hook(args: UnraisableHookArgs) -> None:
        if args.exc_type is KeyboardInterrupt:
            from threading import Timer

            Timer(AGAIN_SECONDS, os.kill, (os.getpid(), signal.SIGINT)).start()
        else:
            before(args)

    sys.unraisablehook = hook
    signal.signal(signal.SIGINT, _handle)


def _handle(number: int, frame: FrameType | None) -> None:
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
    """End with the exit code of Ctrl-C when all is said.

    Where a KeyboardInterrupt has passed an ``eval``, Python would end by the signal although somebody has caught it.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # nobody may read it any more
            stream.flush()
    os._exit(INTERRUPTED)
