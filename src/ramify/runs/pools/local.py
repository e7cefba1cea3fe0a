"""Jobs done by processes of this machine.

Workers are started as programs of their own rather than by ``multiprocessing``, so a user's script needs no
``if __name__ == "__main__"``. Each has a socket of its own: a worker that is killed in the middle of a message cannot
harm another's. The code they need was compiled by the driver before, so they load it from the disk.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic

from ramify.errors import RamifyError
from ramify.runs.jobs import Job, Record, hang_seconds

BATCH_SECONDS = 0.2  # short jobs travel together, so many that they take about so long
MAX_BATCH_JOBS = 64
LONG_JOB = 1.0  # seconds; while such a job is done no other waits behind it, so that the last jobs spread evenly
OUTER_PATH = "RAMIFY_OUTER_PYTHONPATH"  # a worker's variable: what PYTHONPATH is for other programs
MAX_DEATHS = 5  # so many workers may die on one job, or before they were ready, before we give up


class WorkerProcess:
    """One worker: its process, our end of the socket, and the batches it has."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        try:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-P", "-m", "ramify.runs.pools.worker_process", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr.fileno() if _has_descriptor() else subprocess.DEVNULL,
                process_group=0,  # Ctrl-C in the terminal is for the driver alone
                env=os.environ
                | {
                    "PYTHONPATH": os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path),
                    OUTER_PATH: os.environ.get("PYTHONPATH", ""),
                    "OPENBLAS_NUM_THREADS": "1",
                },
            )
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self.connection = Connection(ours.detach())
        self.batches: deque[list[Job]] = deque()
        self.ready = self.worked = False
        self.since = 0.0  # when it could begin with the first of its batches

    def send(self, batch: list[Job]) -> None:
        """Give a batch; a dead worker shows when its socket is read."""
        if not self.batches:
            self.since = monotonic()
        self.batches.append(batch)
        with suppress(OSError):
            self.connection.send(batch)

    @property
    def hangs(self) -> bool:
        """Whether its batch takes longer than the jobs in it may."""
        if not self.ready or not self.batches:
            return False
        return monotonic() - self.since > sum(map(hang_seconds, self.batches[0]))

    def end(self) -> int:
        """Kill it; its exit code if it had died by itself."""
        self._process.kill()
        code = self._process.wait()
        self.connection.close()
        return code

    @property
    def number(self) -> int:
        """The process id."""
        return self._process.pid


def _has_descriptor() -> bool:
    try:
        return sys.stderr.fileno() >= 0
    except (OSError, ValueError, AttributeError):
        return False


class LocalPool:
    """``workers`` processes on this machine."""

    def __init__(self, workers: int) -> None:
        self._waiting: deque[Job] = deque()
        self._deaths: Counter[int] = Counter()  # by the number of the first job of the batch; 0 for not ready
        self._alone: set[int] = set()  # jobs that a dead worker had: given one by one, to find the one that kills
        self._mean = LONG_JOB  # seconds a job takes
        self.busy = self.idle = 0.0  # seconds that workers worked, and waited between two batches
        self._failure: RamifyError | None = None
        self._given_up: list[Record] = []  # rows of jobs that killed their workers
        self._processes: list[WorkerProcess] = []
        try:
            for _ in range(workers):
                self._processes.append(WorkerProcess())
        except BaseException:
            self.close()
            raise

    @property
    def process_ids(self) -> list[int]:
        """The process ids of the workers."""
        return [process.number for process in self._processes]

    def _batch(self) -> int:
        return max(1, min(MAX_BATCH_JOBS, int(BATCH_SECONDS / max(self._mean, 1e-6))))

    def _depth(self) -> int:
        """How many batches a worker holds: the one it does, and the next where jobs are short."""
        return 1 if self._mean >= LONG_JOB else 2

    def capacity(self) -> int:
        """Enough for every worker to hold its batches."""
        held = sum(len(batch) for process in self._processes for batch in process.batches)
        return max(0, len(self._processes) * self._depth() * self._batch() - held - len(self._waiting))

    def submit(self, jobs: Sequence[Job]) -> None:
        """Hand the jobs out."""
        self._waiting.extend(jobs)
        self._hand_out()

    def _hand_out(self) -> None:
        for depth in range(self._depth()):
            for process in self._processes:
                if self._waiting and len(process.batches) <= depth:
                    process.send([self._waiting.popleft() for _ in range(self._next_batch())])

    def _next_batch(self) -> int:
        if self._waiting[0].number in self._alone:
            return 1
        fair = -(-len(self._waiting) // len(self._processes))  # the last jobs are spread evenly
        return min(self._batch(), fair)

    def collect(self, seconds: float) -> list[Record]:
        """Read what the workers sent, and replace those that died."""
        if self._failure is not None:
            raise self._failure
        records: list[Record] = []
        by_connection = {process.connection: process for process in self._processes}
        for ready in wait(list(by_connection), seconds):
            process = by_connection[ready]  # type: ignore[index]
            try:
                message = process.connection.recv()
            except (EOFError, OSError):
                self._replace(process)
                continue
            if message == "ready":
                process.ready, process.since = True, monotonic()
                self._deaths.pop(0, None)
            elif isinstance(message, RamifyError):
                self._failure = self._failure or message
            else:
                records += self._received(process, *message)
        for process in [one for one in self._processes if one.hangs]:
            self._end_hanging(process)
        self._hand_out()
        records += self._given_up
        self._given_up = []
        return records

    def _received(self, process: WorkerProcess, records: list[Record], seconds: float, waited: float) -> list[Record]:
        jobs = len(process.batches.popleft())
        process.since = monotonic()
        if process.worked:
            self.busy += seconds
            self.idle += waited
        process.worked = True
        self._mean = 0.5 * self._mean + 0.5 * seconds / jobs
        return records

    def _replace(self, process: WorkerProcess) -> None:
        """Start another worker and put the jobs of the dead one back."""
        code = process.end()
        jobs = [job for batch in process.batches for job in batch]
        culprit = jobs[0].number if process.ready and jobs else 0
        self._deaths[culprit] += 1
        if self._deaths[culprit] >= MAX_DEATHS:
            if not culprit or not self._give_up(jobs[0], f"{MAX_DEATHS} workers died of it (exit code {code})"):
                what = jobs[0].name if culprit else "their start"
                self._failure = RamifyError(f"{MAX_DEATHS} workers died at {what} (exit code {code}), so the run stops")
                self._processes.remove(process)
                return
            del jobs[0]
        self._put_back(process, jobs)

    def _end_hanging(self, process: WorkerProcess) -> None:
        """End a worker and give its job up; where it has several, each is tried again alone."""
        first = process.batches[0]
        jobs = [job for batch in process.batches for job in batch]
        process.end()
        why = f"it hung: it had not ended after {hang_seconds(first[0]):g} s, so its worker was killed"
        if len(first) == 1 and self._give_up(first[0], why):
            del jobs[0]
        self._put_back(process, jobs)

    def _give_up(self, job: Job, why: str) -> bool:
        """Let a row stand for a job, if it has one."""
        given_up = getattr(job, "given_up", None)
        if given_up is not None:
            self._given_up.append(given_up(why))
        return given_up is not None

    def _put_back(self, process: WorkerProcess, jobs: list[Job]) -> None:
        """Let others do these jobs, one by one, and start a worker in the place of one that is gone."""
        self._waiting.extendleft(reversed(jobs))
        self._alone.update(job.number for job in jobs)
        self._processes[self._processes.index(process)] = WorkerProcess()

    def close(self) -> None:
        """Kill the workers: what they had not sent is done again another time."""
        for process in self._processes:
            process.end()
        self._processes = []
