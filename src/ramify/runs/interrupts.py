"""Steps that Ctrl-C must not separate."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def deferring_sigint() -> Iterator[None]:
    """Delay SIGINT and its handler until the end of the block. Has no effect outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[FrameType | None] = []
    before = signal.getsignal(signal.SIGINT)
    if not callable(before):
        yield
        return
    signal.signal(signal.SIGINT, lambda _, frame: waiting.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if waiting:
            before(signal.SIGINT, waiting[0])
