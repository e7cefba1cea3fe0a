"""A small Dask cluster of processes on the loopback device, for tests."""

import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

from tests.processes import environment

NAP = 0.05
# Linux ends these processes with the test's own, should that be killed.
DASK = """
import ctypes, runpy, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, 9)
sys.argv[0] = "dask"
runpy.run_module("dask", run_name="__main__")
"""
QUIET = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")  # the pages of health and metrics stay, on loopback


class DaskCluster:
    """A scheduler and workers that a test may kill; ``file`` holds the scheduler's address."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.file = self.folder / "scheduler.json"
        self.processes = []
        self.scheduler = self.start("scheduler", "--port", "0", "--scheduler-file", str(self.file))
        wait_for(self.file.exists, "a scheduler")

    def start(self, role, *options, **variables):
        """Start ``dask scheduler`` or ``dask worker``."""
        settings = {"PYTHONWARNINGS": "", "OPENBLAS_NUM_THREADS": "1", **variables}
        with (self.folder / f"{role}{len(self.processes)}.log").open("w") as log:
            process = subprocess.Popen(
                [sys.executable, "-c", DASK, role, "--host", "127.0.0.1", *QUIET, *options],
                env=environment(**settings),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def worker(self, threads=1, **variables):
        """Start a worker without a nanny, which would start it again."""
        options = ("--scheduler-file", str(self.file), "--nthreads", str(threads), "--no-nanny", "--memory-limit", "0")
        return self.start("worker", *options, "--death-timeout", "30", **variables)

    def kill(self, process):
        """SIGKILL."""
        process.kill()
        process.wait()

    def logs(self):
        """What the processes wrote, for a failing test."""
        return "\n".join(f"{path.name}:\n{path.read_text()[-2000:]}" for path in sorted(self.folder.glob("*.log")))


@contextmanager
def dask_cluster(folder):
    """A cluster without workers; everything is killed in the end."""
    cluster = DaskCluster.__new__(DaskCluster)
    cluster.processes = []
    try:
        cluster.__init__(folder)
        yield cluster
    finally:
        for process in cluster.processes:
            with suppress(OSError):
                process.kill()
            process.wait()


def wait_for(condition, what, seconds=30.0):
    """Look until it is so."""
    end = monotonic() + seconds
    while not condition():
        assert monotonic() < end, f"no {what} after {seconds:g} s"
        sleep(NAP)
