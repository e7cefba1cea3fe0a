"""Pool of worker processes on this machine.

Workers are separate programs rather than ``multiprocessing`` processes, so a user's script needs no
``if __name__ == "__main__"``. Each has its own socket: a worker that is killed while sending cannot corrupt another's
messages. The driver has compiled the code they need, so they load it from disk.
"""

from __future__ import annotations

import os
import signal
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
from ramify.runs.user_files import files_of
from ramify.time_limits import WORKER_OVERRUN_SECONDS

BATCH_SECONDS = 0.2  # duration of a batch of short jobs
MAX_BATCH_JOBS = 64
LONG_JOB = 1.0  # seconds; longer jobs do not queue at a worker, so the last ones spread over all workers
OUTER_PATH = "RAMIFY_OUTER_PYTHONPATH"  # environment variable: PYTHONPATH for programs that workers start
EXIT_SECONDS = 1.0  # for a worker that has closed its socket to exit
MAX_DEATHS = 5  # of workers, on one job or before they are ready
MAX_HANGS = 2  # of workers whose search overran its time, on one job


class WorkerProcess:
    """A worker: its process, the driver's end of the socket, and its batches."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        lifeline, self._lifeline = os.pipe()
        passed = [theirs.fileno(), lifeline]
        try:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-P", "-m", "ramify.runs.pools.worker_process", *map(str, passed)],
                pass_fds=passed,
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr.fileno() if _has_descriptor() else subprocess.DEVNULL,
                process_group=0,  # Ctrl-C in the terminal reaches only the driver
                env=os.environ
                | {
                    "PYTHONPATH": os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path),
                    OUTER_PATH: os.environ.get("PYTHONPATH", ""),
                    "OPENBLAS_NUM_THREADS": "1",
                },
            )
        except BaseException:
            ours.close()
            os.close(self._lifeline)
            raise
        finally:
            theirs.close()
            os.close(lifeline)
        self.connection = Connection(ours.detach())
        self.batches: deque[list[Job]] = deque()
        self.ready = self.worked = False
        self.since = 0.0  # when it could start on its first batch

    def send(self, batch: list[Job]) -> None:
        """Send a batch. A dead worker is noticed when its socket is read."""
        if not self.batches:
            self.since = monotonic()
        self.batches.append(batch)
        with suppress(OSError):
            self.connection.send(batch)

    @property
    def hangs(self) -> bool:
        """Whether its first batch takes longer than its jobs may."""
        if not self.ready or not self.batches:
            return False
        return monotonic() - self.since > sum(map(hang_seconds, self.batches[0]))

    def end(self, seconds: float = 0.0) -> int:
        """Kill the process unless it ends by itself within ``seconds``. Return its exit code."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        self._process.kill()
        code = self._process.wait()
        self.connection.close()
        os.close(self._lifeline)
        return code

    @property
    def pid(self) -> int:
        return self._process.pid


def _has_descriptor() -> bool:
    try:
        return sys.stderr.fileno() >= 0
    except (OSError, ValueError, AttributeError):
        return False


def _exit_text(code: int) -> str:
    """Describe the exit code of a worker that died."""
    if code == -signal.SIGALRM:
        return f"a search had not ended {WORKER_OVERRUN_SECONDS:g} s after its time was up: probably an endless loop"
    return f"exit code {code}" if code >= 0 else f"killed by signal {-code}, {signal.strsignal(-code)}"


def _advice(jobs: Sequence[Job]) -> str:
    """Name the users' files of the job that killed its workers."""
    files = dict.fromkeys(name for job in jobs[:1] for text in job.descriptions() for name in files_of(text))
    return f"; check {', '.join(files)} with `ramify check-game` or `ramify check-policy`" if files else ""


class LocalPool:
    """Pool of ``workers`` processes on this machine."""

    def __init__(self, workers: int) -> None:
        self._waiting: deque[Job] = deque()
        self._deaths: Counter[int] = (
            Counter()
        )  # of workers, by the number of the first job of the batch; 0: before ready
        self._alone: set[int] = set()  # jobs of dead workers: sent singly, to find the one that kills
        self._mean = LONG_JOB  # seconds per job
        self.busy = self.idle = 0.0  # seconds that workers worked, and waited between batches
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
        """Process ids of the workers."""
        return [process.pid for process in self._processes]

    def _batch(self) -> int:
        return max(1, min(MAX_BATCH_JOBS, int(BATCH_SECONDS / max(self._mean, 1e-6))))

    def _depth(self) -> int:
        """Return the batches per worker: the current one, and the next if jobs are short."""
        return 1 if self._mean >= LONG_JOB else 2

    def capacity(self) -> int:
        held = sum(len(batch) for process in self._processes for batch in process.batches)
        return max(0, len(self._processes) * self._depth() * self._batch() - held - len(self._waiting))

    def submit(self, jobs: Sequence[Job]) -> None:
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
        fair = -(-len(self._waiting) // len(self._processes))  # spreads the last jobs over all workers
        return min(self._batch(), fair)

    def collect(self, seconds: float) -> list[Record]:
        """Return the records that workers sent. Replaces dead and hanging workers."""
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
        """Replace a dead worker and requeue its jobs."""
        code = process.end(EXIT_SECONDS)
        jobs = [job for batch in process.batches for job in batch]
        culprit = jobs[0].number if process.ready and jobs else 0
        self._deaths[culprit] += 1
        deaths, how = self._deaths[culprit], _exit_text(code)
        if deaths >= (MAX_HANGS if code == -signal.SIGALRM else MAX_DEATHS):
            if not culprit or not self._give_up(jobs[0], f"{deaths} workers died of it ({how})"):
                what = jobs[0].name if culprit else "their start"
                self._failure = RamifyError(f"{deaths} workers died at {what} ({how}), so the run stops{_advice(jobs)}")
                self._processes.remove(process)
                return
            del jobs[0]
        self._put_back(process, jobs)

    def _end_hanging(self, process: WorkerProcess) -> None:
        """Kill a hanging worker and give up its job. Jobs of a larger batch are tried again singly."""
        first = process.batches[0]
        jobs = [job for batch in process.batches for job in batch]
        process.end()
        why = f"it hung: it had not ended after {hang_seconds(first[0]):g} s, so its worker was killed"
        if len(first) == 1 and self._give_up(first[0], why):
            del jobs[0]
        self._put_back(process, jobs)

    def _give_up(self, job: Job, why: str) -> bool:
        """Store the job's ``given_up`` row, if it has one. Return whether it has."""
        given_up = getattr(job, "given_up", None)
        if given_up is not None:
            self._given_up.append(given_up(why))
        return given_up is not None

    def _put_back(self, process: WorkerProcess, jobs: list[Job]) -> None:
        """Requeue jobs, to be sent singly, and start a worker in place of a dead one."""
        self._waiting.extendleft(reversed(jobs))
        self._alone.update(job.number for job in jobs)
        self._processes[self._processes.index(process)] = WorkerProcess()

    def close(self) -> None:
        """Kill the workers. The next session repeats jobs that were not collected."""
        for process in self._processes:
            process.end()
        self._processes = []
