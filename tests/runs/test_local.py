import os
import signal
import subprocess
import sys

import pytest

from ramify.errors import RamifyError
from ramify.runs.pools import local
from ramify.runs.pools.local import LocalPool
from ramify.runs.pools.worker_process import set_alarm
from tests import processes
from tests.arena.games_for_tests import COUNTDOWN, short_plan, timeless
from tests.trusting import trust_all

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


def drain(pool, jobs, on_records=lambda _: None):
    """Give and take until every game is back."""
    waiting = list(jobs)
    records = []
    while len(records) < len(jobs):
        room = pool.capacity()
        if room and waiting:
            pool.submit(waiting[:room])
            del waiting[:room]
        new = pool.collect(1.0)
        records += new
        if new:
            on_records(records)
    return records


def test_a_killed_worker_is_replaced_and_the_games_are_the_same(pool):
    plan = short_plan(games=300, simulations=40)
    jobs = list(plan.jobs())
    two = pool(2)
    before = two.process_ids
    killed = []

    def kill_one(_):
        if not killed:
            killed.append(before[0])
            os.kill(before[0], signal.SIGKILL)

    records = drain(two, jobs, kill_one)
    assert killed
    assert killed[0] not in two.process_ids
    assert before[1] in two.process_ids
    assert timeless(records) == timeless(job.run() for job in jobs)


def test_what_goes_wrong_in_a_users_game_is_told(pool, tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    path = tmp_path / "countdown.py"
    path.write_text(COUNTDOWN.format(trouble="raise IndexError('no such stone')"))
    jobs = list(short_plan(games=2, game=str(path), opening_plies=0).jobs())
    with pytest.raises(RamifyError, match=r"game 1 cannot be played: .*raised IndexError.*: no such stone"):
        drain(pool(1), jobs)


def test_a_game_that_kills_its_workers_stops_the_match(pool, tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    monkeypatch.setattr(local, "MAX_DEATHS", 2)
    path = tmp_path / "countdown.py"
    path.write_text(COUNTDOWN.format(trouble="os._exit(3)"))
    jobs = list(short_plan(games=2, game=str(path), opening_plies=0).jobs())
    with pytest.raises(RamifyError, match=r"2 workers died at game 1 \(exit code 3\)"):
        drain(pool(1), jobs)


def test_a_search_that_overruns_its_time_stops_the_match(pool, tmp_path, monkeypatch):
    """The kernel ends its worker, even if no other thread of it can run."""
    trust_all(monkeypatch.setattr)
    path = tmp_path / "countdown.py"
    trouble = "__import__('signal').setitimer(0, 0.05); 9 ** 9 ** 9"  # what set_alarm does, and a long time in C
    path.write_text(COUNTDOWN.format(trouble=trouble))
    jobs = list(short_plan(games=2, game=str(path), opening_plies=0).jobs())
    sentence = (
        r"2 workers died at game 1 \(a search had not ended 60 s after its time was up: probably an endless loop\)"
    )
    with pytest.raises(RamifyError, match=rf"{sentence}, so the run stops; check .*countdown.py with"):
        drain(pool(1), jobs)


def test_the_alarm_of_a_worker():
    try:
        set_alarm(5.0)
        assert 64 < signal.getitimer(signal.ITIMER_REAL)[0] <= 65
        set_alarm(1e300)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 1e5
    finally:
        set_alarm(0.0)
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_workers_end_with_their_driver_even_in_compiled_code():
    """No thread of a worker can run while C code keeps the GIL."""
    program = "import sys; from ramify.lifeline import end_with_writer; end_with_writer(int(sys.argv[1]))"
    reading, writing = os.pipe()
    words = [sys.executable, "-c", f"{program}; print('begun', flush=True); 9 ** 9 ** 9", str(reading)]
    with subprocess.Popen(words, pass_fds=[reading], stdout=subprocess.PIPE, env=processes.environment()) as worker:
        assert worker.stdout.readline() == b"begun\n"
        os.close(writing)
        os.close(reading)
        assert worker.wait(10) == -signal.SIGIO


def test_workers_that_cannot_start_stop_the_match(pool, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    plan = short_plan()
    with pytest.raises(RamifyError, match="5 workers died at their start"):
        drain(pool(1), list(plan.jobs()))


def test_short_games_travel_together_and_long_ones_alone(pool):
    one = pool(1)
    one._mean = 0.001
    assert one.capacity() == 2 * local.MAX_BATCH_JOBS
    one._mean = 0.02
    assert one.capacity() == 2 * 10
    one._mean = 3.0
    assert one.capacity() == 1
