"""A root-parallel search: one tree per thread, each with a share of the budget."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.worker import Worker

PROGRESS_SECONDS = 0.1  # between two calls of a progress function


def run_side_by_side(
    workers: Sequence[Worker],
    cancelled: threading.Event,
    budget: Budget,
    go_on: Callable[[], bool],
    clock: Callable[[], float],
) -> str:
    """Run every worker in a thread of its own, and ``go_on`` in this one; what stopped them."""
    proven = threading.Event()
    reasons: dict[int, str] = {}
    errors: list[BaseException] = []

    def another_chunk() -> bool:
        # Where simulations are counted, every tree has its share, so that the search repeats.
        return not cancelled.is_set() and not (budget.seconds is not None and proven.is_set())

    def work(part: int, share: Budget) -> None:
        try:
            reasons[part] = workers[part].run(share, another_chunk, clock)
            if reasons[part] == "proven":
                proven.set()
        except BaseException as error:  # noqa: BLE001  (carried over to the caller's thread)
            errors.append(error)
            cancelled.set()

    # The context carries NumPy's error state, which matters where nothing is compiled.
    threads = [
        threading.Thread(target=copy_context().run, args=(work, part, share), daemon=True)
        for part in range(len(workers))
        if (share := budget.share(part, len(workers))) is not None
    ]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():
                thread.join(PROGRESS_SECONDS)
                go_on()
    except BaseException:
        cancelled.set()
        for thread in threads:
            thread.join()
        raise
    if errors:
        raise errors[0]
    if proven.is_set():
        return "proven"
    return "memory" if "memory" in reasons.values() and reasons[0] != "cancelled" else reasons[0]
