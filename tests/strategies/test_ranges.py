"""What the constants of strategies may be: senseless values are refused, extreme ones do no harm."""

import math

import pytest

import ramify
from ramify.strategies.policy.registry import policies

START = ramify.load("tictactoe").initial()
NUMBERS = [
    (name, one)
    for name, policy in policies().items()
    for one in policy.constants
    if not one.words and not isinstance(one.default, bool)
]
FREE = {("puct", "fpu"), ("sufficiency", "alpha")}  # values, on whatever scale the rewards are


def made(name, constant, value):
    return ramify.agent("mcts", select={"name": name, constant.name: value})


@pytest.mark.parametrize(("name", "constant"), NUMBERS, ids=lambda one: getattr(one, "name", one))
def test_no_constant_is_below_zero_or_no_number(name, constant):
    for value in (math.nan, math.inf, -math.inf, True, "text", *(() if (name, constant.name) in FREE else (-1, -1e-9))):
        with pytest.raises(ramify.RamifyError, match=f"^'{constant.name}' must be .*, not "):
            made(name, constant, value)


@pytest.mark.parametrize("value", ["1", "-1", "text", "inf"])
def test_a_switch_is_true_or_false(value):
    with pytest.raises(ramify.RamifyError, match=f"'floor' must be true or false, not '{value}'"):
        ramify.agent(f"mcts(select=omc(floor={value}))")


@pytest.mark.parametrize(("name", "constant"), NUMBERS, ids=lambda one: getattr(one, "name", one))
def test_whatever_is_allowed_can_be_searched_with(name, constant):
    for value in (0, 1e-300, 1e-12, 1, 1e18):
        try:
            agent = made(name, constant, value)
        except ramify.RamifyError:
            continue
        report = ramify.search(START, agent, simulations=60, seed=1)
        assert sum(child.visits for child in report.children) == 60
        assert all(0.0 <= child.value <= 1.0 for child in report.children if child.visits)


OWN = """
from dataclasses import dataclass
from typing import Annotated

from ramify.strategies.constants import ValueRange
from ramify.strategies.base import Recommendation, best


@dataclass(frozen=True)
class Mine(Recommendation):
    weight: Annotated[float, ValueRange(2.0, 3.0)] = 2.5

    def choose(self, visits, values, rng):
        return best(rng, visits)
"""


def test_a_strategy_of_the_users_may_say_a_range(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    assert ramify.agent(f"mcts(recommend={file}(weight=3))").recommend.weight == 3.0
    for value in (2, 3.5):
        with pytest.raises(ramify.RamifyError, match=f"'weight' must be above 2 and at most 3, not {value}"):
            ramify.agent(f"mcts(recommend={file}(weight={value}))")
