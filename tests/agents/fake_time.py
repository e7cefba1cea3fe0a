"""Time that passes only while simulations are made, and searches that take longer than they should."""

from __future__ import annotations

import random
from contextlib import contextmanager

from ramify.agents.search.chunk_runner import ChunkRunner
from ramify.agents.search.search import Search


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
        self._how, self._began = "", 0.0  # of the search at hand

    def now(self) -> float:
        return self.time

    def install(self, monkeypatch) -> None:
        """Let the time pass with the work of all searches from now on."""
        running, begin, end = ChunkRunner._adding_context, Search._begin, Search._end

        @contextmanager
        def timed_running(runner):
            before = int(runner.memory.counters["simulations"][0])
            with running(runner):
                yield
            done = int(runner.memory.counters["simulations"][0]) - before
            self.time += done * self.of_simulation * self._factor

        def timed_begin(search, *arguments):
            """A slowed search stalls for a second, has slower simulations, or takes five times as long."""
            how = self.random.choice(("before", "after", "slow", "long")) if self.random.random() < self.stalled else ""
            self.slowed += bool(how)
            self._began, self._how = self.time, how
            self._factor = 5.0 if how == "slow" else 1.0
            self.time += self.of_search + (1.0 if how == "before" else 0.0)
            return begin(search, *arguments)

        def timed_end(search, parts):
            end(search, parts)
            how, took = self._how, self.time - self._began
            self.time += 1.0 if how == "after" else 4 * took if how == "long" else 0.0

        monkeypatch.setattr(ChunkRunner, "_adding_context", timed_running)
        monkeypatch.setattr(Search, "_begin", timed_begin)
        monkeypatch.setattr(Search, "_end", timed_end)
