"""Budgets: what is refused, and what is read as what."""

import math
from fractions import Fraction

import numpy as np
import pytest

import ramify
from ramify import Budget
from ramify.agents.budgets.budget import NO_LIMIT

NAMES = ("simulations", "seconds", "calls", "memory")
WHOLE = ("simulations", "calls", "memory")


def refusal(**limits):
    with pytest.raises(ramify.RamifyError) as caught:
        Budget(**limits)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_a_budget_is_needed():
    assert refusal() == "a search needs a budget: set simulations, seconds, calls or memory"
    with pytest.raises(ramify.RamifyError, match="needs a budget"):
        ramify.search(ramify.load("tictactoe").initial())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [0, -1, -0.5, -math.inf])
def test_a_budget_is_above_zero(name, value):
    assert refusal(**{name: value}) == f"the budget '{name}' must be above zero, not {value}"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [math.nan, True, False, "10", [], 1j, np.True_])
def test_a_budget_is_a_number(name, value):
    assert refusal(**{name: value}) == f"the budget '{name}' must be a number, not '{value}'"


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("value", [1.5, 0.1, math.inf, Fraction(1, 3)])
def test_these_budgets_are_whole(name, value):
    assert refusal(**{name: value}) == f"the budget '{name}' must be an integer, not {value}"


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("value", [1000, 1e3, np.int32(1000), np.float64(1000.0)])
def test_whole_numbers_of_any_kind_are_the_same_budget(name, value):
    """The engine is compiled for integers: a float that reached it would compile it once more."""
    budget = Budget(**{name: value})
    assert type(getattr(budget, name)) is int
    assert budget == Budget(**{name: 1000})


def test_seconds_are_any_number():
    assert Budget(seconds=1) == Budget(seconds=1.0) == Budget(seconds=np.float32(1))
    assert type(Budget(seconds=2).seconds) is float
    assert Budget(seconds=math.inf).seconds > 1e18


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [2**63, 10**30, 10**400])
def test_more_than_anybody_can_spend(name, value):
    assert getattr(Budget(**{name: value}), name) == NO_LIMIT


def test_a_search_takes_such_budgets():
    state = ramify.load("tictactoe").initial()
    report = ramify.search(state, simulations=100.0, calls=1e30, memory=10**25, seconds=10**400, seed=1)
    assert (report.simulations, report.stopped) == (100, "simulations")


@pytest.mark.parametrize("total", [1, 2, 7, 100])
@pytest.mark.parametrize("parts", [1, 2, 3, 8])
def test_shares_add_up(total, parts):
    shares = [Budget(simulations=total, seconds=3).share(part, parts) for part in range(parts)]
    assert sum(share.simulations for share in shares if share is not None) == total
    assert all(share.seconds == 3 for share in shares if share is not None)
