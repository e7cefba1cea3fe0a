"""Agents that carry a budget of their own."""

import tomllib

import pytest

import ramify
from ramify.agents.agent import agent
from ramify.agents.budgets.player_limits import PlayerLimits, parse_limits
from ramify.agents.preset import presets
from ramify.errors import RamifyError

START = ramify.load("tictactoe").initial()


@pytest.mark.parametrize("name", ["mcts", *presets()])
def test_every_agent_may_carry_a_budget(name):
    made = agent(f"{name}(simulations=2000, seconds=0.5, calls=9)")
    assert made.limits == PlayerLimits(2000, 0.5, 9)
    assert str(made) == f"{name}(simulations=2000, seconds=0.5, calls=9)"
    assert agent(str(made)) == made
    assert agent(name).limits is None


@pytest.mark.parametrize("text", ["uct(clock=60+0.5)", 'uct(clock="60+0.5")', "uct(clock=60, increment=0.5)"])
def test_a_clock_with_its_increment(text):
    assert agent(text).limits == PlayerLimits(clock=60, increment=0.5)
    assert str(agent(text)) == text


def test_a_table_says_the_same():
    table = tomllib.loads('one = {name = "uct", c = 1.4, seconds = 0.1}\ntwo = {name = "uct", clock = "60+0.5"}')
    assert agent(table["one"]) == agent("uct(c=1.4, seconds=0.1)")
    assert agent(table["two"]).limits == parse_limits(clock="60+0.5")
    assert agent("uct", simulations=5).limits == PlayerLimits(5)


def test_the_strategies_are_those_without_it():
    with_budget, plain = agent("uct(simulations=50, c=0.3)"), agent("uct(0.3)")
    assert with_budget.select == plain.select


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("uct(simulations=0)", "invalid budget in 'uct(simulations=0)': the budget 'simulations' must be above zero"),
        ("uct(seconds=-1)", "the budget 'seconds' must be above zero, not -1"),
        ("uct(calls=1.5)", "the budget 'calls' must be an integer, not 1.5"),
        ("uct(clock=60+)", "invalid clock '60+': use seconds, or seconds plus an increment, e.g. 60 or 60+0.5"),
        ("uct(clock=soon)", "invalid clock 'soon': use seconds, or seconds plus an increment, e.g. 60 or 60+0.5"),
        ("uct(clock=60+-1)", "the budget 'increment' must be above zero, not -1"),
        ("uct(clock=60+1, increment=1)", "two increments for the clock, 1 and 1: remove one of them"),
        ("uct(increment=1)", "increment needs clock"),
        ("uct(simulations=5, simulations=6)", "agent 'uct': duplicate parameter 'simulations'"),
        ("uct(simulations=many)", "the budget 'simulations' must be a number, not 'many'"),
        ("uct(c=1, simulation=5)", "agent 'uct' has no parameter 'simulation'"),
    ],
)
def test_errors_name_the_agent_and_the_budget(text, sentence):
    with pytest.raises(RamifyError) as caught:
        agent(text)
    assert sentence in str(caught.value)


def test_a_search_spends_its_agents_budget():
    report = ramify.search(START, "uct(simulations=70)", seed=1)
    assert (report.simulations, report.agent) == (70, "uct(simulations=70)")
    assert report.children == ramify.search(START, "uct", simulations=70, seed=1).children
    assert ramify.Search(START, "uct(simulations=30)", seed=1).run().simulations == 30
    assert ramify.search(START, "uct(simulations=70)", memory=10**7).simulations == 70


def test_two_budgets_are_refused():
    with pytest.raises(RamifyError, match="two budgets for uct"):
        ramify.search(START, "uct(simulations=70)", seconds=1)
    with pytest.raises(RamifyError, match="two budgets for uct"):
        ramify.Search(START, "uct(simulations=70)").run(ramify.Budget(simulations=5))
    with pytest.raises(RamifyError, match="a search needs a budget"):
        ramify.Search(START).run()
