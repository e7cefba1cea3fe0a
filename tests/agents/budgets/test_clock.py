"""Clocks and timings, with a time that the tests turn."""

import pytest

import ramify
from ramify import Budget, Search
from ramify.agents.budgets.clock import MARGIN, MARGIN_SHARE, Clock
from ramify.agents.budgets.early_stopping import moves_left
from ramify.agents.budgets.move_time import MAX_MOVE_SHARE, MIN_MOVE_SECONDS, MoveTime
from ramify.strategies.timing.bonus import Bonus
from ramify.strategies.timing.share import Share
from tests.agents.fake_time import FakeTime


@pytest.fixture
def fake_time(monkeypatch):
    time = FakeTime()
    time.install(monkeypatch)
    return time


def a_clock(seconds=60.0, increment=0.0):
    time = FakeTime()
    return Clock(seconds, increment, time.now), time


def test_a_clock_runs_between_start_and_stop():
    clock, time = a_clock(10.0, 0.5)
    time.time += 3
    assert clock.remaining == 10
    clock.start()
    time.time += 2
    assert clock.remaining == pytest.approx(8)
    assert clock.stop() == pytest.approx(2)
    assert clock.remaining == pytest.approx(8.5)
    assert clock.stop() == 0.0
    assert not clock.expired


def test_a_flag_falls_before_the_increment_comes_and_stays_down():
    clock, time = a_clock(1.0, 5.0)
    clock.start()
    time.time += 1.5
    clock.stop()
    assert clock.expired
    assert clock.remaining == pytest.approx(4.5)
    clock.start()
    clock.stop()
    assert clock.expired


@pytest.mark.parametrize(
    ("seconds", "margin"),
    [(60, 60 * MARGIN_SHARE), (1.0, MARGIN), (0.5, MARGIN), (0.05, 0.025), (600, 600 * MARGIN_SHARE)],
)
def test_a_margin_is_kept_back(seconds, margin):
    clock, _ = a_clock(seconds)
    assert clock.margin == pytest.approx(margin)
    assert clock.usable == pytest.approx(seconds - margin)


def test_the_margin_grows_with_what_moves_take_beyond_their_plan():
    clock, time = a_clock(2.0)
    for over, margin in ((0.0, 0.1), (0.03, 0.1), (0.1, 0.3), (0.0, 0.3), (1.0, 2 / 3)):
        clock.start()
        time.time += MoveTime(clock, Share(), max_seconds=0.01).seconds + over
        clock.stop()
        assert clock.margin == pytest.approx(margin)


def test_a_share_is_a_constant_part_and_the_increment():
    assert Share().seconds(50.0, 0.0) == 2.0
    assert Share(divisor=10).seconds(50.0, 0.5) == 5.5


def test_bonus_is_equation_4():
    timing = Bonus(min_seconds=0.5, max_seconds=2.0)
    for left, moves in ((60.0, 10.0), (60.0, 40.0), (60.0, 200.0), (20.0, 12.0)):
        least = timing.seconds(left, 0.0)
        bonus = max(least, min(2.0, left / moves)) - least
        assert timing.extended_seconds(least, left, 0.0, moves) == pytest.approx(least + bonus)
    assert timing.seconds(60.0, 0.0) == 0.5


def test_the_least_shrinks_as_the_time_runs_out():
    """Kilothon's 0.5 s a move would overspend a minute in a game of 120 own moves."""
    clock, time = a_clock(60.0)
    for _ in range(1000):
        clock.start()
        control = MoveTime(clock, Bonus())
        time.time += control.extended(200.0)
        clock.stop()
    assert not clock.expired
    assert clock.usable < 0.01
    assert clock.remaining > clock.margin * 0.74


@pytest.mark.parametrize("timing", [Share(), Share(divisor=1), Bonus(), Bonus(min_seconds=100, max_seconds=100)])
@pytest.mark.parametrize(("seconds", "increment"), [(60, 0), (1, 0), (0.02, 0), (0.1, 2.0), (5, 0.1)])
def test_no_move_gets_more_than_a_fifth(timing, seconds, increment):
    clock, time = a_clock(seconds, increment)
    for move in range(200):
        clock.start()
        control = MoveTime(clock, timing)
        assert control.extended(1.0) <= max(clock.usable * MAX_MOVE_SHARE, MIN_MOVE_SECONDS) + 1e-12
        time.time += 5 * control.extended(1.0) if move % 7 == 0 else control.seconds
        clock.stop()
        assert clock.remaining > 0
    assert not clock.expired


def test_the_upper_quarter_of_the_margin_pays_for_minimal_searches():
    clock, time = a_clock(1.0)
    clock.start()
    time.time += 0.91
    assert clock.usable == 0
    assert MoveTime(clock, Share()).seconds == MIN_MOVE_SECONDS
    assert MoveTime(clock, Share(), max_seconds=0.0001).seconds == 0.0001
    assert MoveTime(clock, Bonus()).extended(1.0) == MIN_MOVE_SECONDS
    assert MoveTime(clock, Share(), rate=500.0).seconds == 0
    time.time += 0.05
    assert MoveTime(clock, Share()).seconds == 0
    assert MoveTime(clock, Bonus()).extended(1.0) == 0


def test_no_search_where_not_even_two_simulations_fit():
    clock, _ = a_clock(1.0)
    assert MoveTime(clock, Share(), rate=1.5).seconds == 0
    assert MoveTime(clock, Share(), rate=3.0).seconds > 0


def test_bonus_looks_at_the_running_search(fake_time):
    """Tic-Tac-Toe has five own moves at most; a search of so few moves gets all that a move may have."""
    search = Search(ramify.load("tictactoe").initial(), "uct(timing=bonus)", seed=1, now=fake_time.now)
    clock = Clock(60.0, now=fake_time.now)
    control = MoveTime(clock, search.agent.timing)
    report = search.run(Budget(seconds=control.seconds), control=control)
    assert report.stopped == "seconds"
    assert report.seconds == pytest.approx(2.0, abs=0.02)
    whole = Search(search.state, "uct", seed=1)
    assert whole.run(Budget(simulations=report.simulations)).children == report.children

    left = Clock(5.0, now=fake_time.now)
    control = MoveTime(left, search.agent.timing)
    assert search.run(Budget(seconds=control.seconds), control=control).seconds == pytest.approx(
        left.usable * MAX_MOVE_SHARE, abs=0.02
    )


def test_moves_left_are_those_of_playouts_that_ended(fake_time):
    search = Search(ramify.load("tictactoe").initial(), "uct", seed=1)
    report = search.run(Budget(simulations=500))
    assert moves_left(search) == pytest.approx((report.calls / 500 + 1) / 2)
    assert 3 < moves_left(search) <= 5
    cut = Search(ramify.load("tictactoe").initial(), "mcts(playout=uniform(limit=6))", seed=1)
    report = cut.run(Budget(simulations=500))
    assert 0 < report.cut < 500
    assert moves_left(cut) < 4.5  # without the cut ones, of which nobody knows the length
    assert cut.total("cut_calls") >= 7 * report.cut
    never = Search(ramify.load("tictactoe").initial(), "mcts(playout=uniform(limit=1), expand_threshold=100)", seed=1)
    never.run(Budget(simulations=50))
    assert moves_left(never) is None


def test_a_bonus_for_an_allocation_that_needs_its_whole_budget(fake_time, tmp_path):
    """It gets the bonus from its second search on, by the playouts of the one before."""
    file = tmp_path / "rounds.py"
    file.write_text(
        "from dataclasses import dataclass\n"
        "from ramify.strategies.base import Allocation\n\n"
        "@dataclass(frozen=True)\n"
        "class Whole(Allocation):\n"
        "    def spend(self, budget, run, root):\n"
        "        return run(budget)\n"
    )
    search = Search(ramify.load("connect4").initial(), f"mcts(allocation={file}, timing=bonus)", now=fake_time.now)
    clock = Clock(60.0, now=fake_time.now)
    seconds = []
    for _ in range(2):
        control = MoveTime(clock, search.agent.timing)
        seconds.append(search.run(Budget(seconds=control.seconds), control=control).seconds)
    assert seconds == pytest.approx([0.5, 2.0], abs=0.02)
