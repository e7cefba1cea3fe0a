import pytest

from ramify.agents.side_limits import SHARE, SideLimits
from ramify.errors import RamifyError


def test_limits_say_what_they_allow():
    assert str(SideLimits(simulations=1000)) == "1,000 simulations a move"
    assert str(SideLimits(seconds=0.5, calls=9000)) == "0.5 s a move, 9,000 calls a move"
    assert str(SideLimits(clock=60)) == "60 s a game"
    assert SideLimits(seconds=0.5, clock=60).data() == {"seconds": 0.5, "clock": 60}


def test_only_time_depends_on_the_machine():
    assert not SideLimits(simulations=10, calls=100).timed
    assert SideLimits(seconds=1).timed
    assert SideLimits(clock=1).timed


def test_a_clock_gives_a_share_of_what_is_left():
    limits = SideLimits(clock=100)
    assert limits.of_a_move(100.0, 20).seconds == pytest.approx(100 * SHARE)
    assert limits.of_a_move(50.0, 20).seconds == pytest.approx(50 * SHARE)


def test_a_clock_never_gives_more_than_the_limit_of_a_move():
    limits = SideLimits(simulations=500, seconds=1.0, clock=100)
    budget = limits.of_a_move(100.0, 20)
    assert (budget.simulations, budget.seconds) == (500, 1.0)
    assert limits.of_a_move(10.0, 20).seconds == pytest.approx(10 * SHARE)


@pytest.mark.parametrize("left", [0.02, 0.0, -3.0])
def test_without_time_a_side_tries_each_move_once(left):
    budget = SideLimits(clock=100).of_a_move(left, 20)
    assert (budget.simulations, budget.seconds) == (20, None)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "need a budget"),
        ({"clock": 0}, "'clock' must be above zero"),
        ({"clock": "long"}, "'clock' must be a number"),
        ({"clock": 10, "simulations": -1}, "'simulations' must be above zero"),
        ({"simulations": 0.5}, "'simulations' must be a whole number"),
    ],
)
def test_bad_limits_are_refused(arguments, word):
    with pytest.raises(RamifyError, match=word):
        SideLimits(**arguments)
