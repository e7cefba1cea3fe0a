"""Formulas for four arms at a time: which are taken, and that users' functions work whichever way they are compiled."""

import numpy as np
import pytest

from ramify.core.compiling import JIT
from ramify.strategies.selection.registry import named
from tests.strategies.node import Node

POLICIES = """
from math import sqrt
import numpy as np

TABLE = np.array([0.0, 1.0, 2.0])
HALF = 0.5


def formula(lnN, n, m, c=1.0):
    return -HALF + max(m, 0.1) + c * sqrt(lnN / n)


def compared(n, m, c=1.0):
    return m + (n < 4.0) * c


def of_three(n, m, c=1.0):
    return max(m, c / n, 0.2)


def added(n, m, c=1.0):
    m += c / n
    return m


def tabled(n, m, c=1.0):
    return m + TABLE[2] * c / n


def the_same(n, c=1.0):
    return c
"""
EXPECTED = {
    "formula": lambda N, n, m: -0.5 + np.maximum(m, 0.1) + np.sqrt(np.log(N) / n),
    "compared": lambda N, n, m: m + (n < 4.0),
    "of_three": lambda N, n, m: np.maximum(np.maximum(m, 1.0 / n), 0.2),
    "added": lambda N, n, m: m + 1.0 / n,
    "tabled": lambda N, n, m: m + 2.0 / n,
    "the_same": lambda N, n, m: np.ones(len(n)),
}
VISITS = [3, 8, 2, 5, 9, 1, 4, 7, 6, 12, 3]


@pytest.mark.parametrize("count", [1, 3, 4, 5, 8, 9, 11])
@pytest.mark.parametrize("name", EXPECTED)
def test_functions_of_all_kinds(tmp_path, name, count):
    (tmp_path / "mine.py").write_text(POLICIES)
    visits = np.array(VISITS[:count])
    node = Node(f"{tmp_path}/mine.py:{name}", visits, np.linspace(0.9, 0.1, count))
    wanted = EXPECTED[name](node.N, visits, node.means)
    np.testing.assert_allclose(node.indices(), wanted, rtol=1e-15)
    assert wanted[node.choose()] == wanted.max()


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_which_are_compiled_for_lanes(tmp_path):
    (tmp_path / "mine.py").write_text(POLICIES)
    taken = {name: Node(f"{tmp_path}/mine.py:{name}", [1, 2]).policy.by_lanes for name in EXPECTED}
    assert [name for name, by_lanes in taken.items() if by_lanes] == ["formula", "the_same"]
    assert all(named(name).by_lanes for name in ("ucb1", "ucb1_tuned", "ucb_v", "ucb_sqrt"))
