"""Pool on a Dask cluster, which may span many machines.

The driver owns the file and the order of jobs; the cluster only runs them. Dask gives the jobs of a dead worker to
another one, and uses workers that join later. Jobs travel as bytes, with a function that imports Ramify where it runs,
so the scheduler does not need Ramify.
"""

from __future__ import annotations

import logging
import pickle
import secrets
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from ramify.errors import RamifyError
from ramify.paths import is_file
from ramify.runs.jobs import Job, Record
from ramify.runs.pools.cluster_worker import DriverTerms, different
from ramify.runs.pools.local import BATCH_SECONDS, LONG_JOB, MAX_BATCH_JOBS
from ramify.runs.user_files import file_digest, files_of
from ramify.runs.versions import identity

CONNECT_SECONDS = 10.0
LATE_SECONDS = 2.0  # after which a connection that Dask should have given up is not waited for
ANSWER_SECONDS = 60.0  # for all workers to import Ramify and report their version
DASK_LOGGERS = ("distributed", "distributed.client")
COUNT_SECONDS = 1.0  # between two counts of the workers


def _log(message: str) -> None:
    sys.stderr.write(f"note: {message}\n")


class ClusterPool:
    """Workers of the Dask cluster at ``address``: a scheduler's address, or its scheduler file (.json)."""

    def __init__(self, address: str, log: Callable[[str], object] = _log) -> None:
        self.address = address
        self._session = secrets.token_hex(8)
        self._files: dict[str, str] = {}  # digests of users' files, by the names in texts of games and agents
        self._waiting: deque[list[Job]] = deque()  # batches to send
        self._batches: dict[Any, list[Job]] = {}  # by future
        self._done: SimpleQueue[Any] = SimpleQueue()
        self._failure: RamifyError | None = None  # raised after the remaining results were collected
        self._mean = LONG_JOB  # seconds per job
        self._workers, self._counted = 0, 0.0
        self._work = _worker()
        self._client = _connect(address)
        try:
            self._check()
            if not self._count():
                log(f"the cluster at {address} has no workers yet: jobs start when one joins")
        except BaseException:
            self.close()
            raise

    def _check(self) -> None:
        """Compare the version of every present worker; workers that join later are checked with their first batch."""
        try:
            answers = self._client.run(_asker(), on_error="return")
        except (OSError, RuntimeError) as error:
            raise self._lost() from error
        for worker, answer in sorted(answers.items()):
            if isinstance(answer, ImportError):
                raise RamifyError(_lacking(worker, answer))
            if isinstance(answer, OSError):  # it has just died; Dask replaces it
                continue
            if isinstance(answer, BaseException):
                raise RamifyError(f"the worker at {worker} does not answer: {type(answer).__name__}: {answer}")
            found, threads = answer
            if found != identity():
                raise RamifyError(different(f"the worker at {worker}", found, identity()))
            if threads != 1:
                raise RamifyError(
                    f"the worker at {worker} has {threads} threads, but a worker runs one job at a time:"
                    " start one worker per core, each with --nthreads 1"
                )

    def _lost(self) -> RamifyError:
        return RamifyError(
            f"lost the cluster at {self.address}; finished jobs are stored, and with --run the same command resumes"
            " once it is back"
        )

    def _count(self) -> int:
        """Return the number of workers, at most ``COUNT_SECONDS`` old."""
        if monotonic() - self._counted >= COUNT_SECONDS:
            try:
                self._workers = len(self._client.scheduler_info(n_workers=-1)["workers"])
            except (OSError, RuntimeError) as error:
                raise self._lost() from error
            self._counted = monotonic()
        return self._workers

    def _batch(self) -> int:
        return max(1, min(MAX_BATCH_JOBS, int(BATCH_SECONDS / max(self._mean, 1e-6))))

    def capacity(self) -> int:
        """Return the jobs wanted now: one batch per worker, two if jobs are short."""
        depth = 1 if self._mean >= LONG_JOB else 2
        held = sum(len(batch) for batch in self._batches.values()) + sum(len(batch) for batch in self._waiting)
        workers = max(1, self._count())  # without workers, one batch waits in the scheduler
        return max(0, workers * depth * self._batch() - held)

    def submit(self, jobs: Sequence[Job]) -> None:
        """Send the jobs in batches. The last ones are spread over all workers."""
        for job in jobs:
            for text in set(job.descriptions()) - self._files.keys():
                self._files |= {text: "", **{name: file_digest(name) for name in files_of(text)}}
        size = min(self._batch(), -(-len(jobs) // max(1, self._count())))
        self._waiting.extend(list(jobs[at : at + size]) for at in range(0, len(jobs), size))
        self._send()

    def _send(self) -> None:
        files = tuple(sorted((name, digest) for name, digest in self._files.items() if digest))
        terms = DriverTerms(self._session, identity(), files)
        while self._waiting:
            batch = self._waiting.popleft()
            future = self._client.submit(self._work, pickle.dumps((batch, terms)), pure=False)
            self._batches[future] = batch
            future.add_done_callback(self._done.put)

    def collect(self, seconds: float) -> list[Record]:
        if self._failure is not None:
            raise self._failure
        records: list[Record] = []
        with suppress(Empty):
            records += self._received(self._done.get(timeout=seconds))
            while True:
                records += self._received(self._done.get_nowait())
        if self._client.status != "running":
            self._failure = self._failure or self._lost()
        if self._failure is None:
            self._send()
        return records

    def _received(self, future: Any) -> list[Record]:
        """Return the records of a finished batch. Any failure is kept in ``_failure``."""
        from distributed import KilledWorker  # noqa: PLC0415  (an extra)

        batch = self._batches.pop(future)
        try:
            answer = future.result(timeout=ANSWER_SECONDS)
        except KilledWorker as error:
            if len(batch) == 1:
                given_up = getattr(batch[0], "given_up", None)
                if given_up is not None:
                    return [given_up(f"workers died of it ({error})")]
                self._failure = RamifyError(f"workers died at {batch[0].name} ({error}), so the run stops")
            else:
                self._waiting.extend([job] for job in batch)  # singly, to find the one that kills
            return []
        except ImportError as error:
            self._failure = RamifyError(_lacking("that joined", error))
            return []
        except (Exception, CancelledError):  # noqa: BLE001  (of Dask: do_batch returns its own)
            self._failure = self._lost()
            return []
        records, seconds, failure = answer
        self._failure = self._failure or failure
        if records:
            self._mean = 0.5 * self._mean + 0.5 * seconds / len(records)
        return list(records)

    def close(self) -> None:
        """Cancel pending jobs and disconnect; the cluster keeps running."""
        futures, self._batches = list(self._batches), {}
        with suppress(Exception):  # the cluster may be gone
            if self._client.status == "running":
                self._client.cancel(futures)
        with suppress(Exception):
            self._client.close(timeout=2)


def _lacking(worker: str, error: ImportError) -> str:
    where = f"at {worker}" if "://" in worker else worker
    return (
        f'the worker {where} cannot import Ramify ({error}): run `pip install "ramify[cluster]"` there and restart it'
    )


def _connect(address: str) -> Any:
    try:
        from distributed import Client  # noqa: PLC0415  (an extra)
        from distributed.versions import VersionMismatchWarning  # noqa: PLC0415
    except ImportError:
        raise RamifyError('a cluster needs Dask: pip install "ramify[cluster]"') from None
    for name in DASK_LOGGERS:  # prints tracebacks of failures that this pool reports in a sentence
        logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.simplefilter("ignore", VersionMismatchWarning)  # a table; `_check` compares the versions that matter
    by_file = address.endswith(".json")
    if by_file and not is_file(address):  # Dask would wait for it forever
        raise RamifyError(f"there is no scheduler file {address}")
    where = {"scheduler_file": address} if by_file else {"address": address}

    # A client that could not connect would print a traceback, after 20 s, when Python deletes it.
    quiet: Any = type("QuietClient", (Client,), {"__del__": lambda _: None})
    answer: SimpleQueue[Any] = SimpleQueue()

    def connect() -> None:
        try:
            answer.put(quiet(**where, timeout=CONNECT_SECONDS, set_as_default=False))
        except Exception as error:  # noqa: BLE001  (of any type, if the address or what answers there is odd)
            answer.put(error)

    threading.Thread(target=connect, daemon=True).start()
    try:  # Dask would wait forever for a server that accepts the connection and says nothing
        client = answer.get(timeout=CONNECT_SECONDS + LATE_SECONDS)
    except Empty:
        client = None
    if client is None or isinstance(client, Exception):
        raise RamifyError(
            f"no Dask scheduler answers at '{address}' within {CONNECT_SECONDS:g} s: use an address such as"
            f" tcp://10.0.0.1:8786"
        )
    return client


# Nested functions are pickled by value, so only the worker that calls them needs Ramify.
def _worker() -> Callable[[bytes], Any]:
    def ramify_jobs(message: bytes) -> Any:
        import pickle  # noqa: PLC0415

        from ramify.runs.pools.cluster_worker import do_batch  # noqa: PLC0415

        return do_batch(*pickle.loads(message))  # noqa: S301  (from the driver, as this function)

    return ramify_jobs


def _asker() -> Callable[..., tuple[str, int]]:
    def ramify_version(dask_worker: Any) -> tuple[str, int]:
        from ramify.runs.versions import identity  # noqa: PLC0415

        return identity(), dask_worker.state.nthreads

    return ramify_version
