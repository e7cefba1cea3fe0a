import os
import signal
import sys

import pytest

from ramify.arena import workers
from ramify.arena.play import play
from ramify.arena.workers import LocalPool
from ramify.errors import RamifyError
from tests.arena.games_for_tests import COUNTDOWN, short_plan, timeless

pytestmark = pytest.mark.alone


@pytest.fixture
def pool():
    made = []

    def make(count):
        made.append(LocalPool(count))
        return made[-1]

    yield make
    for one in made:
        one.close()


def drain(pool, specs, on_records=lambda _: None):
    """Give and take until every game is back."""
    waiting = list(specs)
    records = []
    while len(records) < len(specs):
        room = pool.room()
        if room and waiting:
            pool.give(waiting[:room])
            del waiting[:room]
        new = pool.take(1.0)
        records += new
        if new:
            on_records(records)
    return records


def test_a_killed_worker_is_replaced_and_the_games_are_the_same(pool):
    plan = short_plan(games=300, simulations=40)
    specs = list(plan.schedule().games(plan.pairs))
    two = pool(2)
    before = two.numbers
    killed = []

    def kill_one(_):
        if not killed:
            killed.append(before[0])
            os.kill(before[0], signal.SIGKILL)

    records = drain(two, specs, kill_one)
    assert killed
    assert killed[0] not in two.numbers
    assert before[1] in two.numbers
    assert timeless(records) == timeless(play(spec).record() for spec in specs)


def test_what_goes_wrong_in_a_users_game_is_told(pool, tmp_path):
    path = tmp_path / "countdown.py"
    path.write_text(COUNTDOWN.format(trouble="raise IndexError('no such stone')"))
    specs = list(short_plan(games=2, game=str(path), opening_plies=0).schedule().games(1))
    with pytest.raises(RamifyError, match="game 1 cannot be played: IndexError: no such stone"):
        drain(pool(1), specs)


def test_a_game_that_kills_its_workers_stops_the_match(pool, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "DEATHS", 2)
    path = tmp_path / "countdown.py"
    path.write_text(COUNTDOWN.format(trouble="os._exit(3)"))
    specs = list(short_plan(games=2, game=str(path), opening_plies=0).schedule().games(1))
    with pytest.raises(RamifyError, match=r"2 workers died at game 1 \(exit code 3\)"):
        drain(pool(1), specs)


def test_workers_that_cannot_start_stop_the_match(pool, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    plan = short_plan()
    with pytest.raises(RamifyError, match="5 workers died at their start"):
        drain(pool(1), list(plan.schedule().games(plan.pairs)))


def test_short_games_travel_together_and_long_ones_alone(pool):
    one = pool(1)
    one._mean = 0.001
    assert one.room() == 2 * workers.MOST_IN_CHUNK
    one._mean = 0.02
    assert one.room() == 2 * 10
    one._mean = 3.0
    assert one.room() == 1
