"""How much memory is free, and how much of it a search may take that was given no budget of memory."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Lock

DEFAULT_FREE_BYTES = 1 << 32  # bytes, where the system does not tell
MEMINFO = Path("/proc/meminfo")
CGROUP_FILE = Path("/proc/self/cgroup")
CGROUP_ROOTS = Path("/sys/fs/cgroup")


class MemoryAllowance:
    """Half of the memory that was free when one of a search's trees first had to grow, shared evenly by all of them.

    Until then trees are small; the system is asked once, since that takes longer than a short search.
    """

    def __init__(self, trees: int) -> None:
        self._trees = trees
        self._lock = Lock()
        self._bytes: int | None = None

    @property
    def known(self) -> int | None:
        """Bytes of all trees together; None while no tree had to grow."""
        return self._bytes

    @property
    def per_tree(self) -> int | None:
        """Bytes of each tree, with what its shape and hooks keep beside it; None while no tree had to grow."""
        return None if self._bytes is None else self._bytes // self._trees

    def measure(self) -> int:
        """Ask the system, unless that was done before; bytes of each tree."""
        with self._lock:
            if self._bytes is None:
                self._bytes = free_memory() // 2
            return self._bytes // self._trees


def free_memory() -> int:
    """Bytes that could be taken now: what the system calls available, or less where a control group has a limit."""
    return min(_of_system(), *_of_groups())


def _of_system() -> int:
    """Pages of files that are only kept in case they are read again count as free, where the system tells them."""
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


def _of_groups() -> list[int]:
    """What the limits of our control groups leave, of either version; they are enforced for parents, too."""
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
            left += _left(folder, *names)
    return left


def _left(folder: Path, limit: str, used: str, reclaimable: str) -> list[int]:
    """What the limit of one group leaves; nothing where it has none."""
    try:
        numbers = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        taken = int((folder / used).read_text()) - int(numbers.get(reclaimable, 0))
        return [max(0, int((folder / limit).read_text()) - taken)]
    except (OSError, ValueError):  # "max" is no number
        return []
