"""Time limits of code that cannot be interrupted from within its process, such as compiled code of users.

A process that can be killed and replaced sets ``Watch.announce``. The command line imports this module before anything
else.
"""

from __future__ import annotations

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Seconds beyond its time after which code counts as hanging. Busy machines overrun by much less.
OVERRUN_SECONDS = 10.0  # where a person waits
WORKER_OVERRUN_SECONDS = 60.0  # in a worker, where a game of another program may be slow


class Watch:
    """``announce`` is called with the seconds that something may take, and with 0 at its end."""

    announce: Callable[[float], object] | None = None


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Announce that the block ends within so many seconds."""
    announce = Watch.announce
    if announce is None:
        yield
        return
    announce(seconds)
    try:
        yield
    finally:
        announce(0.0)
