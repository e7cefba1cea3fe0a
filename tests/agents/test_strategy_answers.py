"""Strategies whose Python functions return something else than they should."""

from dataclasses import dataclass, replace

import pytest

import ramify
from ramify.agents.budgets.clock import Clock
from ramify.agents.budgets.move_time import MoveTime
from ramify.strategies.base import Allocation, Playout, Recommendation, Timing


@dataclass(frozen=True)
class Unsure(Recommendation):
    answer: object = None

    def choose(self, visits, values, rng):
        return self.answer


@dataclass(frozen=True)
class Unbound(Playout):
    def bind(self, game, *, traced):
        return None


@dataclass(frozen=True)
class Endless(Allocation):
    def spend(self, budget, run, root):
        run(budget)


@dataclass(frozen=True)
class Wasteful(Allocation):
    def spend(self, budget, run, root):
        run(budget)
        return run(replace(budget, simulations=1))


@dataclass(frozen=True)
class Timeless(Timing):
    answer: object = None

    def seconds(self, left, increment):
        return self.answer


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        ({"recommend": Unsure()}, "Unsure.choose returned None: it must return the index of a child, from 0 to 8"),
        ({"recommend": Unsure(9)}, "Unsure.choose returned 9: it must"),
        ({"recommend": Unsure(-1)}, "Unsure.choose returned -1: it must"),
        ({"recommend": Unsure(1.0)}, "Unsure.choose returned 1.0: it must"),
        ({"playout": Unbound()}, "Unbound.bind returned None: it must return a BoundStrategy"),
        (
            {"allocation": Wasteful()},
            "Wasteful.spend used 21 simulations of a budget of 20: the budgets that it passes",
        ),
        ({"allocation": Endless()}, r"Endless.spend returned None: it must return what its last run\(\) returned"),
    ],
)
def test_a_search_says_what_a_strategy_should_return(part, sentence):
    agent = replace(ramify.agent("uct"), **part)
    with pytest.raises(ramify.RamifyError, match=sentence):
        ramify.search(ramify.load("tictactoe").initial(), agent, simulations=20, seed=1)


@pytest.mark.parametrize("answer", [None, "1", float("nan")])
def test_a_timing_must_return_seconds(answer):
    with pytest.raises(ramify.RamifyError, match=r"Timeless.seconds returned .*: it must return a number of seconds"):
        MoveTime(Clock(10.0), Timeless(answer))
