"""Root-parallel search: one tree per thread, each with a share of the budget."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.worker import Worker

PROGRESS_SECONDS = 0.1  # between two calls of the progress function


def run_in_threads(
    workers: Sequence[Worker],
    cancelled: threading.Event,
    budget: Budget,
    go_on: Callable[[], bool],
    clock: Callable[[], float],
) -> str:
    """Run each worker in its own thread, and call ``go_on`` in this one. Return the stop reason."""
    proven = threading.Event()
    reasons: dict[int, str] = {}
    errors: list[BaseException] = []

    def another_chunk() -> bool:
        # With a limit on simulations every tree spends its whole share, so that the search is reproducible.
        return not cancelled.is_set() and not (budget.seconds is not None and proven.is_set())

    def work(part: int, share: Budget) -> None:
        try:
            reasons[part] = workers[part].run(share, another_chunk, clock)
            if reasons[part] == "proven":
                proven.set()
        except BaseException as error:  # noqa: BLE001  (re-raised in the caller's thread)
            errors.append(error)
            cancelled.set()

    # The context carries NumPy's error state, which matters without compilation.
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
