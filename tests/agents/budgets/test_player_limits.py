import math

import pytest

from ramify.agents.budgets.budget import Budget
from ramify.agents.budgets.move_time import MoveTime
from ramify.agents.budgets.player_limits import PlayerLimits, parse_limits
from ramify.agents.budgets.time_control import LOSE, RANDOM, TimeControl
from ramify.errors import RamifyError
from ramify.strategies.timing.share import Share


def test_limits_say_what_they_allow():
    assert str(PlayerLimits(simulations=1000)) == "1,000 simulations per move"
    assert str(PlayerLimits(seconds=0.5, calls=9000)) == "0.5 s per move, 9,000 calls per move"
    assert str(PlayerLimits(clock=60)) == "60 s per game"
    assert str(PlayerLimits(clock=60, increment=0.5)) == "60 s per game, increment 0.5 s"
    assert PlayerLimits(seconds=0.5, clock=60).to_dict() == {"seconds": 0.5, "clock": 60}


def test_only_time_depends_on_the_machine():
    assert not PlayerLimits(simulations=10, calls=100).uses_time
    assert PlayerLimits(seconds=1).uses_time
    assert PlayerLimits(clock=1).uses_time


def test_a_search_has_what_the_clock_gives_and_the_limits_of_a_move():
    limits = PlayerLimits(simulations=500, seconds=1.0, clock=100)
    clock = limits.new_clock()
    assert clock is not None
    budget = limits.move_budget(MoveTime(clock, Share(), limits.seconds))
    assert (budget.simulations, budget.seconds) == (500, 1.0)
    assert PlayerLimits(simulations=5).new_clock() is None
    assert PlayerLimits(simulations=5).move_budget() == Budget(simulations=5)


def test_limits_are_a_budget_per_move_and_a_time_control_per_game():
    both = PlayerLimits(simulations=500, seconds=1, clock=60, increment=0.5, on_time="random")
    assert both.per_move == Budget(simulations=500, seconds=1.0)
    assert both.per_game == TimeControl(60.0, 0.5, RANDOM)
    assert PlayerLimits(clock=60).per_move is None
    assert PlayerLimits(clock=60).per_game == TimeControl(60.0, 0.0, LOSE)
    assert PlayerLimits(calls=5).per_game is None


def test_what_was_written_stays_as_it_is():
    written = PlayerLimits(simulations=5.0, clock=60)
    assert (repr(written.simulations), repr(written.clock)) == ("5.0", "60")
    assert repr(written.per_move.simulations) == "5"


def test_a_clock_that_never_runs_out_can_be_used():
    assert PlayerLimits(simulations=5, clock=math.inf).new_clock().usable > 0


def test_the_first_move_of_a_game_has_a_full_clock():
    budget, time = PlayerLimits(simulations=500, clock=100).first_move_budget(Share())
    assert time is not None
    assert budget == Budget(simulations=500, seconds=time.seconds)
    assert time.seconds == MoveTime(TimeControl(100).new_clock(), Share()).seconds
    assert PlayerLimits(simulations=500).first_move_budget(Share()) == (Budget(simulations=500), None)


def test_the_digests_of_experiments_stay():
    assert PlayerLimits(5, clock=2.0).digest_key() == "Limits(simulations=5, seconds=None, calls=None, clock=2.0)"
    assert PlayerLimits(clock=2.0, increment=1.0).digest_key().endswith("clock=2.0, increment=1.0)")
    assert PlayerLimits(clock=2.0, on_time="random").digest_key().endswith("clock=2.0, on_time='random')")
    assert repr(PlayerLimits(5)) == "SideLimits(simulations=5, seconds=None, calls=None, clock=None)"


@pytest.mark.parametrize(("text", "limits"), [("60", (60, None)), ("60+0.5", (60, 0.5)), ("60+0", (60, None))])
def test_a_clock_is_read_from_text(text, limits):
    found = parse_limits(clock=text)
    assert found is not None
    assert (found.clock, found.increment) == limits


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "need a budget"),
        ({"clock": 0}, "'clock' must be above zero"),
        ({"clock": "long"}, "'clock' must be a number"),
        ({"clock": 10, "simulations": -1}, "'simulations' must be above zero"),
        ({"simulations": 0.5}, "'simulations' must be an integer"),
        ({"clock": 10, "increment": -1}, "'increment' must be above zero"),
        ({"simulations": 5, "increment": 1}, "increment needs clock"),
    ],
)
def test_bad_limits_are_refused(arguments, word):
    with pytest.raises(RamifyError, match=word):
        PlayerLimits(**arguments)
