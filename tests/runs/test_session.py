"""A run of jobs that are no games: the room knows nothing of matches."""

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import pytest

from ramify.errors import RamifyError
from ramify.runs.caches import clear_between_sessions, clear_caches
from ramify.runs.driver import Aggregator
from ramify.runs.messages import RunMessages
from ramify.runs.pools.factory import pool_factory
from ramify.runs.pools.pool import InProcessPool
from ramify.runs.run_plan import RunPlan
from ramify.runs.session import Session
from ramify.runs.store import Reader
from ramify.runs.table import RunTable

SQUARES = RunTable("squares", ("number", "square"), {}, "the tests", extendable_keys=("numbers",))
MESSAGES = RunMessages({"base": ("base is", "base {}".format)}, mismatch_hint="think again")


@dataclass(frozen=True)
class Square:
    number: int
    seed: int
    verb = "squared"

    @property
    def name(self):
        return f"number {self.number}"

    def descriptions(self):
        return ()

    def prepare(self):
        pass

    def expected_seconds(self):
        return 0.0

    def run(self):
        if self.seed == 13:
            raise ValueError("bad luck")
        return (self.number, self.number**2 + self.seed)


class Sum(Aggregator):
    def __init__(self, enough):
        self.jobs = self.total = 0
        self.enough = enough

    def add(self, records):
        for record in records:
            self.jobs += 1
            self.total += record[1]

    @property
    def done(self):
        return self.jobs

    @property
    def is_decided(self):
        return self.total > self.enough


@dataclass(frozen=True)
class Squares(RunPlan):
    numbers: int
    seed: int | None = 0
    base: int = 10
    enough: int = 10**6

    table = SQUARES
    messages = MESSAGES

    def seeded(self, seed):
        return replace(self, seed=seed)

    def contains(self, record):
        return record == Square(record[0], self.seed).run()

    @property
    def total(self):
        return self.numbers

    def jobs(self, done=()):
        return (Square(number, self.seed) for number in range(1, self.numbers + 1) if number not in done)

    def aggregator(self):
        return Sum(self.enough)

    def description(self):
        return {"base": self.base, "numbers": self.numbers, "seed": self.seed, "versions": "1"}

    def prepare(self):
        pass


def here(_):
    return InProcessPool()


def stored(run):
    with Reader(run, SQUARES) as reader:
        return list(reader.records())


@pytest.mark.parametrize("workers", [0, 2])
def test_any_pool_does_any_job(workers):
    with Session(Squares(9, seed=5)) as sitting:
        sitting.run(pool_factory(workers))
        assert list(sitting.store.records()) == [(n, n * n + 5) for n in range(1, 10)]
        assert (sitting.driver.done, sitting.driver.aggregator.total) == (9, 285 + 45)
        assert sitting.store.name is None


def test_a_later_sitting_goes_on_and_may_add_jobs(tmp_path):
    run = tmp_path / "squares.db"

    def interrupt(driver):
        if driver.played == 3:
            raise KeyboardInterrupt

    with Session(Squares(5), run) as sitting, pytest.raises(KeyboardInterrupt):
        sitting.run(here, interrupt)
    assert len(stored(run)) == 3
    asked = []
    with Session(Squares(7), run) as sitting:
        assert (sitting.driver.done, sitting.driver.total) == (3, 7)
        sitting.run(lambda jobs: asked.append(jobs) or InProcessPool())
        assert sitting.driver.played == 4
        assert sitting.store.description()["numbers"] == 7
        sitting.run(lambda _: pytest.fail("nothing is missing"))
    assert asked == [4]
    assert stored(run) == [(n, n * n) for n in range(1, 8)]


def test_nothing_is_done_once_enough_is_known():
    with Session(Squares(100, enough=20)) as sitting:
        sitting.run(here)
        assert sitting.driver.decided
        assert sitting.driver.done == 4  # 1 + 4 + 9 + 16
        sitting.run(lambda _: pytest.fail("enough is known"))


def test_a_plan_without_a_seed_takes_the_seed_of_the_run(tmp_path):
    run = tmp_path / "squares.db"
    with Session(Squares(2, seed=None), run) as sitting:
        seed = sitting.plan.seed
        assert seed is not None
        sitting.run(here)
    with Session(Squares(2, seed=None), run) as sitting:
        assert sitting.plan.seed == seed


def test_another_plan_is_refused_and_told_why(tmp_path):
    run = tmp_path / "squares.db"
    Session(Squares(2), run).close()
    with pytest.raises(RamifyError, match=r"its base is base 10, not base 3; think again"):
        Session(Squares(2, base=3), run)
    with pytest.raises(RamifyError, match="not the circles of nobody"):
        Reader(run, RunTable("circles", ("number",), {}, "nobody"))
    Session(Squares(2), run).close()  # the refused one let go of the file


def test_what_goes_wrong_is_told_in_the_jobs_words():
    with (
        Session(Squares(2, seed=13)) as sitting,
        pytest.raises(
            RamifyError,
            match=r"number 1 cannot be squared: run\(\) in test_session.py, line \d+, raised ValueError: bad luck",
        ),
    ):
        sitting.run(here)


def test_caches_are_forgotten():
    loads = []

    @lru_cache
    def load(name):
        loads.append(name)

    clear_between_sessions(load)
    load("a")
    load("a")
    clear_caches()
    load("a")
    assert loads == ["a", "a"]


def test_a_run_names_its_file(tmp_path):
    with Session(Squares(1), tmp_path / "squares.db") as sitting:
        assert Path(sitting.store.name) == tmp_path / "squares.db"
