"""Code that runs in a worker process: receives jobs through a socket and sends records until the driver is gone."""

from __future__ import annotations

import os
import select
import sys
import threading
from multiprocessing.connection import Connection
from time import perf_counter

from ramify.errors import RamifyError
from ramify.runs.jobs import run_job


def main() -> None:
    """Serve the socket whose file descriptor is the first argument."""
    number = int(sys.argv[1])
    threading.Thread(target=exit_with_driver, args=(number,), daemon=True).start()
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
    connection.send((records, perf_counter() - began, began - asked))


def exit_with_driver(number: int) -> None:
    """Exit as soon as the driver's end of the socket closes, even during a long search.

    It closes when the driver dies, even by SIGKILL. Searches release the GIL, so this thread can always run.
    """
    poller = select.poll()
    poller.register(number, 0)  # no events: only a hang-up wakes it
    poller.poll()
    os._exit(1)


if __name__ == "__main__":
    main()
