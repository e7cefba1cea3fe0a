"""What runs in a worker process: jobs come in through a socket, records go out, until the driver is gone."""

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
    """Serve the socket whose number is the first argument."""
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
    """Do one batch of jobs."""
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
    """End this process as soon as the other end of the socket closes, even in the middle of a long search.

    The driver's end closes when the driver dies, also by SIGKILL. Searches release the GIL, so this thread always runs.
    """
    poller = select.poll()
    poller.register(number, 0)  # no events: only a hang-up wakes it
    poller.poll()
    os._exit(1)


if __name__ == "__main__":
    main()
