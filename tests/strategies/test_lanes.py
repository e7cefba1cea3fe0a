"""Formulas for four arms at a time: which are taken, and that users' functions work whichever way they are compiled."""

from pathlib import Path

import numpy as np
import pytest

from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.strategies.policy.registry import named, policies
from tests.strategies.node import Node

FILE = Path(__file__).with_name("formulas.py")
EXPECTED = {
    "formula": lambda N, n, m: -0.5 + np.maximum(m, 0.1) + np.sqrt(np.log(N) / n),
    "compared": lambda N, n, m: m + (n < 4.0),
    "of_three": lambda N, n, m: np.maximum(np.maximum(m, 1.0 / n), 0.2),
    "added": lambda N, n, m: m + 1.0 / n,
    "tabled": lambda N, n, m: m + 2.0 / n,
    "the_same": lambda N, n, m: np.ones(len(n)),
    "by_number": lambda N, n, m: m + 2.0 / (n + len(n)),
    "by_arm": lambda N, n, m: np.where(n > 4, m, 1.0) + 1.0,
    "if_anywhere": lambda N, n, m: np.where(n > 4, m, m + 1.0),
    "if_here": lambda N, n, m: np.where(n > 4, m, 1.0),
    "powers": lambda N, n, m: m + 1.0 / n + np.sqrt(n),
    "whole_powers": lambda N, n, m: m + n**2.0,
    "logarithms": lambda N, n, m: m + np.log(N) - np.log(n),
    "largest_of": lambda N, n, m: m / m.max() + m * n / (m * n).max(),
    "remembers": lambda N, n, m: m + 1.0 / n,
    "kept": lambda N, n, m: m + 1.0,
    "assigned_once": lambda N, n, m: m + 0.25,
    "another_kind": lambda N, n, m: m + 1.0,
    "by_helper": lambda N, n, m: m + 1.0 / n,
    "with_loop": lambda N, n, m: m / 8.0,
}
BY_ARM = ("compared", "of_three", "if_here", "whole_powers", "assigned_once", "another_kind", "by_helper", "with_loop")
VISITS = [3, 8, 2, 5, 9, 1, 4, 7, 6, 12, 3]


@pytest.mark.parametrize("name", EXPECTED)
def test_functions_of_all_kinds(name):
    for count in (1, 3, 4, 5, 8, 9, 11):
        visits = np.array(VISITS[:count])
        node = Node(f"{FILE}:{name}", visits, np.linspace(0.9, 0.1, count))
        wanted = EXPECTED[name](node.N, visits, node.means)
        np.testing.assert_allclose(node.indices(), wanted, rtol=1e-14)
        assert wanted[node.choose()] == pytest.approx(wanted.max(), rel=1e-14)


@pytest.mark.parametrize("name", ["logarithms", "largest_of"])
def test_many_visits_and_none(name):
    """Beyond the table of logarithms; and an arm never visited is neither the best nor asked for."""
    visits, means = np.array([40_000, 3, 32_767, 32_768, 2, 0]), np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.9])
    node = Node(f"{FILE}:{name}", visits, means, fpu=0.25)
    wanted = EXPECTED[name](node.N, visits[:5], node.means[:5])
    np.testing.assert_allclose(node.indices(), [*wanted, 0.25], rtol=1e-13)


def test_indices_filled_in():
    """The third form: all indices at once; arms never visited have that of first-play urgency."""
    visits, means = np.array([4, 0, 3, 9]), np.array([0.5, 0.0, 0.4, 0.3])
    node = Node(f"{FILE}:filled", visits, means, fpu=0.25)
    wanted = np.where(visits > 0, means + np.sqrt(np.log(16) / np.maximum(visits, 1)), 0.25)
    np.testing.assert_allclose(node.indices(), wanted, rtol=1e-14)
    assert node.choose() == wanted.argmax()
    assert Node(f"{FILE}:filled", visits, means).choose() == 1


def test_kept_and_remembered():
    node = Node(f"{FILE}:kept", VISITS, 0.5)
    node.kept("seen")[:], node.kept("gained")[:] = np.arange(11), np.linspace(3.0, 0.0, 11)
    np.testing.assert_allclose(node.indices(), node.means + 1.0 + np.arange(11) + np.linspace(6.0, 0.0, 11))
    node = Node(f"{FILE}:remembers", VISITS, 0.5)
    node.memory[3] = 4.0
    np.testing.assert_allclose(node.indices(), node.means + 5.0 / node.visits)


@pytest.mark.parametrize("fpu", [0.5, 2.0])
def test_functions_that_see_arms_never_visited(fpu):
    visits, means = np.array([4, 0, 3, 9, 0, 1]), np.array([0.5, 0.0, 0.4, 0.3, 0.0, 1.0])
    squares = visits * (means**2 + 0.1)
    expected = np.where(visits > 0, means + np.sqrt(0.1), fpu) + 1.0 / (1.0 + visits)
    for name, agents in (("own_urgency", 9.0), ("asks_for_urgency", fpu)):
        text = f"{FILE}:{name}(fpu={fpu})" if name == "own_urgency" else f"{FILE}:{name}"
        node = Node(text, visits, means, squares, fpu=agents)
        assert (node.policy.four_arm_loop is not None) == JIT
        np.testing.assert_allclose(node.indices(), expected, rtol=1e-14)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_which_are_compiled_for_lanes():
    assert [name for name in EXPECTED if named(f"{FILE}:{name}").four_arm_loop is None] == list(BY_ARM)
    assert [name for name in policies() if named(name).four_arm_loop] == [
        *("accelerated_ucb", "discounted_ucb", "grave", "mc_grave", "moss", "progressive_bias"),
        *("progressive_widening", "puct"),
        *("rave", "rave_doubt", "rave_max", "rave_only"),
        *(
            "round_robin",
            "sufficiency",
            "sufficiency_dynamic",
            "ucb1",
            "ucb1_parent",
            "ucb1_tuned",
            "ucb_minimal",
            "ucb_sqrt",
            "ucb_v",
            "uct_fuego",
        ),
    ]


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_a_function_that_does_not_compile_is_told_in_a_sentence():
    with pytest.raises(
        RamifyError, match=r"broken\(\) in formulas.py, line \d+, does not compile: compiled code has no"
    ):
        Node(f"{FILE}:broken", [1, 2]).choose()
