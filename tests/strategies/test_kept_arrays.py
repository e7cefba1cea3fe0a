"""Policies that keep an array per arm."""

import hashlib
import os
import subprocess
import sys
from functools import lru_cache
from itertools import pairwise
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

import ramify
from ramify import bandits
from ramify.agents.checking.check import check_policy
from ramify.core.kernels.compiling import JIT
from ramify.strategies.policy.kept import Kept, Numbers, places, width
from ramify.strategies.policy.registry import named
from tests.oracle import naive
from tests.oracle.test_engine import assert_equal_trees, follow, least, most
from tests.strategies import kept_arrays
from tests.strategies.node import Node

load = lru_cache(ramify.load)
FILE = Path(kept_arrays.__file__)
POLICIES = ("recent", "steepest", "filled")


def of_arms(node, name):
    """The array of each arm."""
    first = int(named(f"{FILE}:{node.policy.name}")._places()[name].place.split()[2])
    size = dict(node.policy.sizes)[name]
    return node.table[first : first + size, 1:].T


def test_where_everything_stands():
    """Numbers first, then arrays, numbers per player, the average; tables are no columns."""
    kept, sizes = ("a", "x_each", "h", "b", "t_by_class", "h", "g", "u_by_class"), {"h": 8, "g": 2}
    assert places(kept, sizes, average="average") == {
        "a": Kept("offset + 0"),
        "b": Kept("offset + 1"),
        "h": Kept("offset + 2", 8),
        "g": Kept("offset + 10", 2),
        "x_each": Kept("offset + 12 + 0 * players"),
        "t_by_class": Kept("0"),
        "u_by_class": Kept("1"),
        "average": Kept("offset + 12 + 1 * players"),
    }
    assert width(kept, sizes, players=3) == 2 + 8 + 2 + 3


def test_an_index_reads_the_array_of_its_arm():
    node = Node(f"{FILE}:recent(c=1.0)", [5, 2, 9, 1, 4], np.linspace(0.1, 0.9, 5))
    assert node.policy.four_arm_loop is None
    arrays = np.random.default_rng(1).random((5, 4))
    of_arms(node, "h")[:] = arrays
    mean = [row[: min(n, 4)].mean() for row, n in zip(arrays, node.visits, strict=True)]
    expected = 0.5 * node.means + 0.5 * np.array(mean) + np.sqrt(np.log(node.N) / node.visits)
    np.testing.assert_allclose(node.indices(), expected, rtol=1e-14)
    assert node.choose() == expected.argmax()


def test_an_update_writes_to_the_array_of_an_arm():
    node = Node(f"{FILE}:recent", [0, 0, 0])
    for arm, reward in [(1, 0.5), (2, 0.25), (1, 1.0), (1, 0.75), (1, 0.125), (1, 0.0)]:
        node.credit(arm, reward)
    assert of_arms(node, "h").tolist() == [[0.0] * 4, [0.0, 1.0, 0.75, 0.125], [0.25, 0.0, 0.0, 0.0]]


def test_a_choice_reads_and_writes_them():
    node = Node(f"{FILE}:steepest", [2, 3, 4])
    of_arms(node, "h")[:] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]]
    assert node.choose() == 2
    assert of_arms(node, "h").tolist() == [[1.0, 2.0, 1.5], [4.0, 5.0, 3.0], [7.0, 8.0, 5.0]]


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("game", ["connect4", "breakthrough(rows=5, columns=4)", "pig(target=12)"])
def test_searches_and_repeats(name, game):
    state = load(game).initial()
    first, second = (ramify.search(state, f"mcts(select={FILE}:{name})", simulations=300, seed=2) for _ in range(2))
    assert first.children == second.children
    assert sum(child.visits for child in first.children) == 300


@pytest.mark.parametrize("name", POLICIES)
def test_trusted_by_the_check(name):
    """Arrays as long as the author may think, and the same numbers compiled."""
    checked = check_policy(f"{FILE}:{name}", simulations=60)
    assert checked.ok, str(checked)
    assert not checked.findings


def test_a_write_beyond_the_array_is_found(tmp_path):
    path = tmp_path / "mine.py"
    head = "from ramify.strategies.policy.kept import Numbers\n\n\ndef rule(n, m):\n    return m + 1.0 / n\n\n\n"
    path.write_text(head + "def rule_update(k, reward, h: Numbers[4]):\n    h[k, 4] = reward\n", encoding="utf-8")
    with pytest.raises(ramify.RamifyError, match="IndexError"):
        ramify.search(load("tictactoe").initial(), f"mcts(select={path})", simulations=10)


class Recent(naive.Search):
    """``recent`` as a list of rewards at every node."""

    def back_up(self, path, scores):
        super().back_up(path, scores)
        for parent, child in pairwise(path):
            if parent.mover >= 0:
                child.last = [*getattr(child, "last", []), scores[parent.mover]]

    def index(self, node, child):
        if child.visits == 0:
            return self.fpu
        slots = [0.0] * 4
        for j, reward in enumerate(child.last):
            slots[j % 4] = reward
        n, count = float(child.visits), min(child.visits, 4)
        total = 0.0
        for i in range(count):
            total += slots[i]
        return 0.5 * (child.total / n) + 0.5 * total / count + self.c * sqrt(log(float(node.visits)) / n)


@pytest.mark.parametrize("game", ["tictactoe", "connect4"])
def test_the_tree_is_that_of_plain_python(game):
    state = load(game).initial()
    search = ramify.Search(state, f"mcts(select={FILE}:recent(c=0.8))", seed=4)
    search.run(ramify.Budget(simulations=200))
    slow = Recent(state, 4, c=0.8).run(200)
    assert_equal_trees(search.workers[0], slow)


def test_arrays_are_kept_with_the_tree():
    state = load("tictactoe").initial()
    follow(state, f"mcts(select={FILE}:recent(c=0.8))", Recent(state, 5, c=0.8), 120, [most, least, most])


def test_where_everybody_moves_at_once():
    """Every seat has its own arms: their second number counts the visits that the policy learnt from."""
    search = ramify.Search(load("tron(rows=6, columns=6)").initial(), f"mcts(select={FILE}:steepest)", seed=1)
    search.run(ramify.Budget(simulations=200))
    tree = search.workers[0].tree
    counts = tree.columns[2]  # after `before`
    for seat in (1, 2):
        arms = tree.children(seat)
        assert counts[arms].tolist() == tree.nodes["visits"][arms].tolist()
        assert counts[arms].sum() == 200


def test_on_a_bandit():
    result = bandits.run(bandits.bernoulli([0.9, 0.2]), f"{FILE}:recent", pulls=200, tasks=20, seed=1)
    assert (result.pulls[:, 0] > result.pulls[:, 1]).mean() > 0.9


@pytest.mark.parametrize("count", [0, -1, 65, 2.5, True, "8"])
def test_sizes_that_are_refused(count):
    with pytest.raises(ramify.RamifyError, match="use a whole number from 1 to 64"):
        Numbers[count]


@pytest.mark.parametrize(
    "parameters", ["h_each: Numbers[2]", "h_by_class: Numbers[2]", "h: Numbers[2], own_h: Numbers[3]"]
)
def test_arrays_that_are_refused(tmp_path, parameters):
    path = tmp_path / "mine.py"
    head = "from ramify.strategies.policy.kept import Numbers\n\n\ndef rule(n, m):\n    return m\n\n\n"
    path.write_text(head + f"def rule_update(k, {parameters}):\n    pass\n", encoding="utf-8")
    with pytest.raises(ramify.RamifyError, match="an array has one size"):
        named(str(path))


def digests():
    for name in POLICIES:
        search = ramify.Search(ramify.load("tictactoe").initial(), f"mcts(select={FILE}:{name})", seed=3)
        search.run(ramify.Budget(simulations=60))
        worker = search.workers[0]
        used = slice(int(worker.counters["nodes"][0]))
        arrays = (worker.tree.nodes[used], worker.tree.columns[:, used], worker.rng)
        yield hashlib.sha256(b"".join(one.tobytes() for one in arrays)).hexdigest()


@pytest.mark.skipif(not JIT, reason="there is nothing compiled to compare with")
def test_compiled_and_plain_python_agree():
    command = [sys.executable, "-c", "from tests.strategies.test_kept_arrays import digests; print(*digests())"]
    plain = subprocess.run(
        command, capture_output=True, text=True, check=True, env=dict(os.environ, NUMBA_DISABLE_JIT="1")
    )
    assert plain.stdout.split() == list(digests())
