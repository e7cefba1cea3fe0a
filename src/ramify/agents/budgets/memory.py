"""Free memory, and the part of it that a search without a memory budget may use."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Lock

DEFAULT_FREE_BYTES = 1 << 32  # if the system does not report it
MEMINFO = Path("/proc/meminfo")
CGROUP_FILE = Path("/proc/self/cgroup")
CGROUP_ROOTS = Path("/sys/fs/cgroup")


class MemoryAllowance:
    """Half of the memory that was free when a tree of the search first had to grow, in equal shares for all trees.

    The system is queried once and only then, because the query takes longer than a short search.
    """

    def __init__(self, trees: int) -> None:
        self._trees = trees
        self._lock = Lock()
        self._bytes: int | None = None

    @property
    def known(self) -> int | None:
        """Bytes for all trees together, or None if no tree had to grow yet."""
        return self._bytes

    @property
    def per_tree(self) -> int | None:
        """Bytes per tree, including its shape and hooks, or None if no tree had to grow yet."""
        return None if self._bytes is None else self._bytes // self._trees

    def measure(self) -> int:
        """Query the system on the first call. Return the bytes per tree."""
        with self._lock:
            if self._bytes is None:
                self._bytes = free_memory() // 2
            return self._bytes // self._trees


def free_memory() -> int:
    """Return the available bytes: what the system reports, or less if a control group has a limit."""
    return min(_system_bytes(), *_cgroup_bytes())


def _system_bytes() -> int:
    """Return MemAvailable, which includes reclaimable page cache, or the free pages if it is not reported."""
    try:
        for line in MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return DEFAULT_FREE_BYTES


def _cgroup_bytes() -> list[int]:
    """Return the bytes left by the limits of this process's control groups (v1 and v2) and of their parents."""
    left = [DEFAULT_FREE_BYTES << 20]
    try:
        lines = [line.split(":", 2) for line in CGROUP_FILE.read_text().splitlines()]
    except OSError:
        return left
    for _, controllers, path in (line for line in lines if len(line) == 3):
        if controllers == "":
            top, names = CGROUP_ROOTS, ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            top, names = (
                CGROUP_ROOTS / "memory",
                ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
            )
        else:
            continue
        own = top / path.strip("/")
        for folder in (one for one in (own, *own.parents) if one.is_relative_to(top)):
            left += _bytes_left(folder, *names)
    return left


def _bytes_left(folder: Path, limit: str, used: str, reclaimable: str) -> list[int]:
    """Return the bytes left by the limit of one group; an empty list if it has no limit."""
    try:
        numbers = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        taken = int((folder / used).read_text()) - int(numbers.get(reclaimable, 0))
        return [max(0, int((folder / limit).read_text()) - taken)]
    except (OSError, ValueError):  # "max": no limit
        return []
