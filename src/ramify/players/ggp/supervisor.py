"""The supervisor: a process that forks the processes of matches, limits their memory, and kills them on request.

Its only argument is the number of its socket. It first loads and compiles everything that a match needs, so a new
process can play at once. Each process is the leader of its process group, which also contains its grounder; the whole
group is killed together. All groups together are limited.

The player sends Fork (followed by the socket of the new process) and Kill. If a process ends by itself or is killed for
its memory, the supervisor says so on its socket: ``("ended", reason)``. The supervisor ends with the player.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import reduction
from multiprocessing.connection import Connection
from pathlib import Path

from ramify.agents.agent import agent
from ramify.child_process import adopt_orphans, die_with_parent, limit_data
from ramify.core.kernels.compiling import on_compilation
from ramify.errors import RamifyError
from ramify.players.ggp.grounding_lock import GroundingLock
from ramify.players.ggp.match_child import serve
from ramify.players.ggp.match_messages import Fork, Kill, Settings
from ramify.players.ggp.warm import warm

DATA_MEGABYTES = 600  # that a process may allocate in addition to its limit: some of it is never used
WATCH_SECONDS = 0.025
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(eq=False)
class _Forked:
    """A process of a match or preview."""

    match: str  # its name; empty: a preview
    pid: int
    socket: Connection  # our copy of the process's end


class Supervisor:
    """Starts, watches and kills the processes of matches."""

    def __init__(self, control: Connection, settings: Settings) -> None:
        self.control = control
        self.settings = settings
        self.processes: dict[int, _Forked] = {}  # by number
        self._lock = GroundingLock()
        self._above = False  # whether the memory limit was exceeded when last watched

    def run(self) -> None:
        """Obey until the player closes the connection."""
        children = False
        while True:
            if self.control.poll(WATCH_SECONDS if children else None):
                try:
                    self._obey(self.control.recv())
                except (EOFError, OSError):
                    for number in list(self.processes):
                        self.kill(number)
                    return
            children = self._reap()
            if self.processes:
                self._check_memory()

    def _obey(self, message: Fork | Kill) -> None:
        if isinstance(message, Kill):
            self.kill(message.number)
            return
        handle = reduction.recv_handle(self.control)
        me = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._become_match(message.match, handle, me)
        with suppress(OSError):  # the process does the same
            os.setpgid(pid, pid)
        self.processes[message.number] = _Forked(message.match, pid, Connection(handle))

    def _become_match(self, match: str, handle: int, supervisor: int) -> None:
        try:
            os.setpgid(0, 0)
            die_with_parent(supervisor)
            self.control.close()
            for other in self.processes.values():  # or the player would not notice their ends
                other.socket.close()
            limit_data(self.settings.megabytes + DATA_MEGABYTES)
            alone = all(other.match == match for other in self.processes.values())
            serve(Connection(handle), self.settings, self._lock, alone=alone)
        finally:
            os._exit(0)

    def kill(self, number: int, reason: str = "") -> None:
        """Kill a process group if it still exists, wait for it, and send the reason to the player."""
        process = self.processes.get(number)
        if process is None:
            return
        with suppress(ProcessLookupError, PermissionError):  # the pid is not reused before waitpid()
            os.killpg(process.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(process.pid, 0)
        self._gone(number, reason)

    def _gone(self, number: int, reason: str) -> None:
        socket = self.processes.pop(number).socket
        with suppress(OSError):  # the player has closed its end
            if reason:
                socket.send(("ended", reason))
        socket.close()

    def _reap(self) -> bool:
        """Wait for processes that have ended, also for grounders. Return whether there are others."""
        try:
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = found
                for number in [number for number, process in self.processes.items() if process.pid == pid]:
                    with suppress(ProcessLookupError, PermissionError):  # its grounder
                        os.killpg(pid, signal.SIGKILL)
                    self._gone(number, _exit_text(os.waitstatus_to_exitcode(status)))
        except ChildProcessError:
            return False
        return True

    def _check_memory(self) -> None:
        """If all matches together exceed the memory limit twice in succession, cut the one that uses the most.

        Its grounders are killed, or else its largest process. A match that uses at most its share of the limit, divided
        by the number of matches, is not cut. Once is not enough: between fork and exec of a grounder its memory is
        counted twice.
        """
        limit = self.settings.megabytes
        trees = {number: list(process_tree(process.pid)) for number, process in self.processes.items()}
        used = {number: sum(map(resident_bytes, pids)) for number, pids in trees.items()}
        above = sum(used.values()) > limit << 20
        if above and self._above:
            matches: Counter[str] = Counter()
            for number, process in self.processes.items():
                matches[process.match] += used[number]
            ((largest, _),) = matches.most_common(1)
            numbers = [number for number, process in self.processes.items() if process.match == largest]
            grounders = [pid for number in numbers for pid in trees[number][1:]]
            for grounder in grounders:
                with suppress(ProcessLookupError):
                    os.kill(grounder, signal.SIGKILL)
            if not grounders:
                who = "it needs" if len(matches) == 1 else "the matches together need"
                self.kill(max(numbers, key=used.__getitem__), f"{who} more than {limit:,} MB of memory")
        self._above = above


def _exit_text(code: int) -> str:
    return f"it was killed by {signal.Signals(-code).name}" if code < 0 else f"it exited with code {code}"


def process_tree(pid: int) -> Iterator[int]:
    """Yield a process and its descendants, as far as the system lists them (Linux)."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError, ValueError):  # it has just ended
            for child in children.read_text().split():
                yield from process_tree(int(child))


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process; 0 if it has ended, or where /proc is missing."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
    except (OSError, IndexError, ValueError):
        return 0


def main() -> None:
    with suppress(EOFError, BrokenPipeError):  # the player has ended
        control = Connection(int(sys.argv[1]))
        settings: Settings = control.recv()
        die_with_parent(settings.parent)
        adopt_orphans()
        if prepare(control, settings):
            Supervisor(control, settings).run()


def prepare(control: Connection, settings: Settings) -> bool:
    """Load and compile everything that a match needs. Send notes about the agent, then "warm", or else the error."""
    try:
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            made = agent(settings.agent)
        for note in notes:
            control.send(note.message)
        warnings.simplefilter("ignore", DeprecationWarning)  # the player shows these notes
        with on_compilation(lambda: control.send("compiling")):
            warm(made)
    except RamifyError as error:
        control.send(error)
        return False
    gc.collect()
    gc.freeze()  # so that collections in a match do not copy these pages
    control.send("warm")
    return True
