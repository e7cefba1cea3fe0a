"""``recommend=mixed`` and its exponent."""

import numpy as np
import pytest

import ramify
from ramify.contract.python_rules import PythonGenerator
from ramify.strategies.recommend.mixed import Mixed

VISITS = np.array([10.0, 0.0, 40.0, 50.0])
NONE = np.zeros(4)


def shares(exponent, draws=4000):
    rng = PythonGenerator(7)
    chosen = [Mixed(exponent).choose(VISITS, NONE, rng) for _ in range(draws)]
    return np.bincount(chosen, minlength=4) / draws


@pytest.mark.parametrize(
    ("exponent", "expected"),
    [
        (0.0, [1 / 3, 0, 1 / 3, 1 / 3]),
        (0.5, VISITS**0.5 / (VISITS**0.5).sum()),
        (1.0, VISITS / 100),
        (2.0, VISITS**2 / (VISITS**2).sum()),
        (1e6, [0, 0, 0, 1]),
    ],
)
def test_shares_are_powers_of_visits(exponent, expected):
    np.testing.assert_allclose(shares(exponent), expected, atol=0.03)


def test_an_exponent_of_1_draws_as_without_one():
    """The outcome of the visits' shares, by one draw of the generator."""
    one, other = PythonGenerator(3), PythonGenerator(3)
    for _ in range(200):
        assert Mixed().choose(VISITS, NONE, one) == other.outcome([(k, n / 100.0) for k, n in enumerate(VISITS)])


def test_nothing_visited_is_drawn_uniformly():
    for exponent in (0.0, 1.0, 3.0):
        rng = PythonGenerator(1)
        assert {Mixed(exponent).choose(np.zeros(3), NONE, rng) for _ in range(60)} == {0, 1, 2}


def test_in_an_agent():
    state = ramify.load("tictactoe").position("xx./oo./...")
    sharp = "mcts(recommend=mixed(exponent=1000))"
    assert str(ramify.agent(sharp)) == sharp
    assert {str(ramify.search(state, sharp, simulations=300, seed=seed).move) for seed in range(5)} == {"c3"}
    with pytest.raises(ramify.RamifyError, match="'exponent' must be at least 0, not -1"):
        ramify.agent("mcts(recommend=mixed(exponent=-1))")
