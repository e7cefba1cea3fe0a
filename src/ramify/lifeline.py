"""Processes that end with the process that started them, even if that is killed and even during compiled code.

The one that starts another keeps the writing end of a pipe open; the other holds the reading end. When the writing end
closes, the kernel sends SIGIO, which ends a process without the help of its threads.
"""

import fcntl
import os
import select
import signal


def end_with_writer(reading_end: int) -> None:
    """End this process as soon as nobody holds the writing end of this pipe any more."""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(reading_end, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(reading_end, fcntl.F_SETFL, fcntl.fcntl(reading_end, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([reading_end], [], [], 0)[0]:  # closed before the kernel was asked to tell
        os._exit(1)
