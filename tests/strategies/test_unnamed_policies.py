"""Policies that do not know their own name: lambdas, closures and renamed functions are searched as what they are."""

import functools

import pytest

import ramify
from ramify.errors import RamifyError
from tests.trusting import trust_all

FILE = """
import functools

highest = lambda m, n: m
lowest = lambda m, n: -m

def made(sign):
    def named(m, n):
        return sign * m
    return named

up, down = made(1.0), made(-1.0)

def named(m, n):
    return m

def opposite(m, n):
    return -m

opposite.__name__ = "named"
part = functools.partial(named, n=1.0)

class Rule:
    def __call__(self, m, n):
        return m

rule = Rule()
"""


@pytest.fixture
def visits(tmp_path, monkeypatch):
    trust_all(monkeypatch.setattr)
    (tmp_path / "rules.py").write_text(FILE, encoding="utf-8")
    start = ramify.load("tictactoe").initial()

    @functools.cache
    def searched(name):
        agent = f"mcts(select={tmp_path}/rules.py:{name})"
        return [child.visits for child in ramify.search(start, agent, simulations=200, seed=1).children]

    return searched


def test_each_policy_is_compiled_on_its_own(visits):
    highest, lowest = visits("named"), visits("opposite")
    assert highest != lowest
    assert visits("highest") == visits("up") == highest
    assert visits("lowest") == visits("down") == lowest


@pytest.mark.parametrize("name", ["part", "rule", "Rule"])
def test_what_is_not_a_function_is_refused(visits, name):
    with pytest.raises(RamifyError, match=f"has no selection policy '{name}'"):
        visits(name)
