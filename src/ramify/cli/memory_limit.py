"""Limits on the memory of this process, as ``ulimit -v`` sets them.

With too little memory, libraries abort or hang while they are imported, so such a limit is refused first.
"""

from __future__ import annotations

import os
import resource
import sys

MIN_MEGABYTES = 768  # for the libraries, and for compiling a game
SCARCE_MEGABYTES = 4096  # a lower limit may end any command


def memory_limit() -> int | None:
    """Return the limit in megabytes; None: no limit."""
    limits = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    return min((limit >> 20 for limit in limits if limit != resource.RLIM_INFINITY), default=None)


def is_memory_scarce() -> bool:
    limit = memory_limit()
    return limit is not None and limit < SCARCE_MEGABYTES


def prepare_scarce_memory() -> None:
    """Save memory. Exit with a message if the limit is too small to start with."""
    limit = memory_limit() or 0
    if limit < MIN_MEGABYTES:
        print(
            f"ramify: the memory limit of {limit} MB is too small: set ulimit -v to at least {MIN_MEGABYTES << 10}",
            file=sys.stderr,
        )
        sys.exit(2)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread reserves memory


def out_of_memory_text() -> str:
    """Say that memory ran out, with the limit if there is one."""
    limit = memory_limit()
    if limit is None:
        return "out of memory: use a smaller budget or --memory MEGABYTES"
    return f"out of memory: raise the limit of {limit} MB (ulimit -v), or use a smaller budget or --memory MEGABYTES"
