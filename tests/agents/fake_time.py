"""Time that passes only while simulations are made, and searches that take longer than they should."""

from __future__ import annotations

import random

from ramify.agents.search.search import Search
from ramify.agents.search.worker import Worker


class FakeTime:
    """So many seconds a simulation; ``now`` is the time source to inject. Made by the fixture ``fake_time``."""

    def __init__(self) -> None:
        self.time = 100.0
        self.of_simulation = 0.01
        self.of_search = 0.0  # beside its simulations
        self.stalled = 0.0  # the chance of a search to be slowed
        self.random = random.Random(1)
        self.slowed = 0
        self._factor = 1.0

    def now(self) -> float:
        return self.time

    def install(self, monkeypatch) -> None:
        """Let the time pass with the work of all searches from now on."""
        chunk, spend = Worker._chunk, Search._spend

        def timed_chunk(worker, *arguments):
            before = int(worker.counters["simulations"][0])
            status = chunk(worker, *arguments)
            done = int(worker.counters["simulations"][0]) - before
            self.time += done * self.of_simulation * self._factor
            return status

        def timed_spend(search, *arguments):
            """A slowed search stalls for a second, has slower simulations, or takes five times as long."""
            how = self.random.choice(("before", "after", "slow", "long")) if self.random.random() < self.stalled else ""
            self.slowed += bool(how)
            began = self.time
            self._factor = 5.0 if how == "slow" else 1.0
            self.time += self.of_search + (1.0 if how == "before" else 0.0)
            spend(search, *arguments)
            self.time += 1.0 if how == "after" else 4 * (self.time - began) if how == "long" else 0.0

        monkeypatch.setattr(Worker, "_chunk", timed_chunk)
        monkeypatch.setattr(Search, "_spend", timed_spend)
