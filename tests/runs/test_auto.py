"""Short work is done in this process, long work by workers, and the records are the same."""

import math
from dataclasses import dataclass

import pytest

from ramify.agents.budgets.player_limits import PlayerLimits
from ramify.arena.matches.match import plan_match
from ramify.errors import RamifyError
from ramify.runs import jobs as job_module
from ramify.runs.jobs import run_job
from ramify.runs.pools import auto
from ramify.runs.pools.auto import START_SECONDS, AutoPool
from ramify.runs.pools.factory import pool_factory
from ramify.runs.pools.pool import InProcessPool
from tests.arena.games_for_tests import short_plan, timeless


@dataclass(frozen=True)
class Wait:
    """A job that takes ``true`` seconds of a clock that the test turns, and says ``told``."""

    number: int
    told: float
    true: float
    verb = "waited for"
    name = "a wait"

    def descriptions(self):
        return ()

    def prepare(self):
        pass

    def expected_seconds(self):
        return self.told

    def run(self):
        Clock.now += self.true
        return (self.number,)


class Clock:
    now = 0.0


class Workers:
    """As many as were asked for; they work at once."""

    def __init__(self, count):
        self.count = count
        self.jobs = []

    def capacity(self):
        return self.count

    def submit(self, jobs):
        self.jobs += jobs

    def collect(self, seconds):
        records = [job.run() for job in self.jobs]
        self.jobs = []
        return records


@pytest.fixture(autouse=True)
def no_process_starts(monkeypatch):
    monkeypatch.setattr(auto, "LocalPool", Workers)
    monkeypatch.setattr(auto, "perf_counter", lambda: Clock.now)


def done(pool, jobs):
    """How many were done in this process, and all records."""
    waiting, records, here = list(jobs), [], 0
    while len(records) < len(jobs):
        room = pool.capacity()
        if waiting and room:
            pool.submit(waiting[:room])
            del waiting[:room]
        was_here = pool.in_process
        new = pool.collect(1.0)
        here += len(new) * was_here
        records += new
    return here, sorted(records)


@pytest.mark.parametrize(
    ("jobs", "told", "true", "workers", "here"),
    [
        (2, 0.001, 0.001, 2, 2),
        (1000, 0.001, 0.001, 2, 1000),
        (2, math.inf, 1.0, 2, 0),
        (100, 1.0, 1.0, 2, 0),
        (1, math.inf, 60.0, 2, 1),  # a single job is done no sooner by a worker
        (100, math.inf, 60.0, 1, 100),
        (10, 0.001, 2 * START_SECONDS, 2, 1),  # its word was wrong
        (2, 0.001, 60.0, 2, 2),
    ],
)
def test_the_faster_choice_works(jobs, told, true, workers, here):
    pool = AutoPool(jobs, workers)
    assert done(pool, [Wait(k, told, true) for k in range(jobs)]) == (here, [(k,) for k in range(jobs)])
    assert pool.in_process == (here == jobs)


def test_no_more_workers_than_jobs():
    pool = AutoPool(3, 8)
    pool.submit([Wait(1, math.inf, 1.0)])
    assert pool._pool.count == 3


def test_more_jobs_than_announced_are_done_by_workers_after_a_while():
    pool = AutoPool(4, 2)
    assert done(pool, [Wait(k, 0.1, 0.5) for k in range(20)])[0] == 7


def test_a_number_of_workers_is_obeyed():
    assert isinstance(pool_factory(None)(5), AutoPool)
    assert isinstance(pool_factory(0)(5), InProcessPool)


class OldPool:
    """A user's pool with the method names of old versions."""

    def __init__(self):
        self.jobs = []
        self.closed = False

    def room(self):
        return 3 - len(self.jobs)

    def give(self, jobs):
        self.jobs += jobs

    def take(self, seconds):
        records = [run_job(job) for job in self.jobs]
        self.jobs = []
        return records

    def close(self):
        self.closed = True


def test_a_pool_with_old_method_names_works():
    old = OldPool()
    with pytest.warns(DeprecationWarning, match="is now called") as notes:
        pool = pool_factory(lambda _: old)(5)
    assert [str(note.message) for note in notes] == [
        "'OldPool.room' is now called 'capacity'",
        "'OldPool.give' is now called 'submit'",
        "'OldPool.take' is now called 'collect'",
    ]
    assert pool.capacity() == 3
    pool.submit([Wait(1, 0.0, 0.0)])
    assert pool.collect(0.1) == [(1,)]
    pool.close()
    assert old.closed


def test_a_current_pool_is_used_as_it_is():
    mine = InProcessPool()
    assert pool_factory(lambda _: mine)(5) is mine


def test_the_old_name_of_run_job():
    with pytest.warns(DeprecationWarning, match="'run_job'"):
        assert job_module.carried_out is run_job


@pytest.mark.parametrize(
    ("limits", "least", "most"),
    [
        ({"simulations": 10}, 0.0, 0.5),
        ({"simulations": 10**9}, 100.0, math.inf),
        ({"seconds": 10}, 30.0, 100.0),
        ({"clock": 1000}, 50.0, 500.0),
        ({"calls": 10**9}, 10.0, math.inf),
        ({"simulations": 10, "seconds": 10}, 0.0, 0.5),
    ],
)
def test_a_game_says_about_how_long_it_takes(limits, least, most):
    plan = plan_match("tictactoe", "uct", "uct(c=1.4)", limits=PlayerLimits(**limits), games=2, seed=1)
    job = next(iter(plan.jobs()))
    job.prepare()
    assert least <= job.expected_seconds() < most


def test_a_game_that_is_asked_is_the_same_game():
    job = next(iter(short_plan(games=2, simulations=30).jobs()))
    before = job.run()
    job.expected_seconds()
    assert timeless([job.run()]) == timeless([before])


def test_a_job_that_cannot_be_asked_is_told():
    class Broken(Wait):
        def expected_seconds(self):
            raise ValueError("no idea")

    with pytest.raises(RamifyError, match=r"a wait cannot be waited for: .*ValueError: no idea"):
        AutoPool(2, 2).submit([Broken(1, 0.0, 0.0)])
