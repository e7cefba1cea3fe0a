"""What a child process does for itself: ends when its parent does, and limits its own memory."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # of Linux's prctl()


def die_with_parent(parent: int | None = None) -> None:
    """On Linux, let the system kill this process when the thread that started it ends, however it ends.

    ``parent``: process id of the parent, in case that it has ended already.
    """
    if sys.platform == "linux":
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if parent is not None and os.getppid() != parent:
            os._exit(1)


def adopt_orphans() -> None:
    """On Linux, become the parent of grandchildren whose parent ends, so that this process can wait for them."""
    if sys.platform == "linux":
        _prctl(PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def limit_data(megabytes: int) -> None:
    """Limit the memory that this process can allocate. Beyond it Python raises MemoryError."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = megabytes << 20
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
