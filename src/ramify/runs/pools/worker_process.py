"""Code that runs in a worker process: receives jobs through a socket and sends records until the driver is gone."""

from __future__ import annotations

import signal
import sys
from multiprocessing.connection import Connection
from time import perf_counter

from ramify.errors import RamifyError
from ramify.lifeline import end_with_writer
from ramify.runs.jobs import run_job
from ramify.time_limits import WORKER_OVERRUN_SECONDS, Watch

MAX_ALARM_SECONDS = 1e6  # a timer cannot be set to any number


def main() -> None:
    """Serve the socket whose file descriptor is the first argument; the second is the lifeline of this process."""
    number, lifeline = map(int, sys.argv[1:])
    end_with_writer(lifeline)
    Watch.announce = set_alarm
    connection = Connection(number)
    try:
        connection.send("ready")
        while True:
            serve(connection)
    except (EOFError, OSError):  # the driver is gone
        return


def serve(connection: Connection) -> None:
    """Receive a batch, run it and send its records, its seconds and the seconds of waiting."""
    asked = perf_counter()
    jobs = connection.recv()
    began = perf_counter()
    records = []
    for job in jobs:
        try:
            records.append(run_job(job))
        except RamifyError as error:
            connection.send(error)
        except KeyboardInterrupt:  # workers get no Ctrl-C
            connection.send(RamifyError(f"{job.name} cannot be {job.verb}: its code raised KeyboardInterrupt"))
    connection.send((records, perf_counter() - began, began - asked))


def set_alarm(seconds: float) -> None:
    """Let the kernel end this process by SIGALRM if a search overruns its seconds; 0: no search is running."""
    signal.setitimer(signal.ITIMER_REAL, min(seconds + WORKER_OVERRUN_SECONDS, MAX_ALARM_SECONDS) if seconds else 0.0)


if __name__ == "__main__":
    main()
