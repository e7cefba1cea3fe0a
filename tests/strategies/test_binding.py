"""Reading policies off functions, ours and users'."""

import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ramify.agents.agent import agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search, search
from ramify.contract.registry import load_call
from ramify.core.search.tree import NODE
from ramify.errors import BadChoiceError, RamifyError
from ramify.grammar import parse
from ramify.strategies.policy.registry import named, policies, resolve
from tests.strategies.node import Node

RACE = str(Path(__file__).with_name("toy_race.py"))


def state():
    return load_call(parse("tictactoe")).initial()


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_the_plain_record_has_32_bytes():
    assert NODE.itemsize == 32


def test_plain_policies_keep_nothing():
    worker = Search(state(), "uct").workers[0]
    assert worker.tree.columns.size == 0
    plan = worker.runner.plan
    assert (plan.on_expand.count, plan.on_simulation.count, plan.reward.kernel) == (0, 0, 0)


def test_two_policies_that_keep_statistics_do_not_meet():
    agent_text = "mcts(select=discounted_ucb, select_root=exp3)"
    found = Search(load_call(parse("connect4")).initial(), agent_text, seed=1)
    found.run(Budget(simulations=300))
    worker = found.workers[0]
    assert len(worker.tree.columns) == 2 + 4
    children = worker.tree.children()
    weights, seen = worker.tree.columns[0], worker.tree.columns[2]
    assert weights[children].sum() > 0
    assert not weights[children.stop : int(worker.counters["nodes"][0])].any()
    assert not seen[children].any()
    move = found.report().move
    found.advance(move)  # the new root has no weights, so the tree starts anew
    assert worker.tree.nodes["visits"][0] == 0


def test_first_play_urgency_below_the_default_is_an_index():
    visits, means = [4, 0, 3], np.array([0.5, 0.0, 0.4])
    assert Node("ucb1(c=0.0)", visits, means, fpu=0.45).choose() == 0
    assert Node("ucb1(c=0.0)", visits, means, fpu=0.55).choose() == 1
    assert Node("kl_ucb", visits, means, fpu=2.0).choose() == 1


def test_equal_arms_are_drawn_evenly():
    node = Node("ucb1(c=0.0)", [5, 5, 5, 2], np.array([0.4, 0.4, 0.4, 0.0]), node_visits=17)
    counts = np.bincount([node.choose() for _ in range(3000)], minlength=4)
    assert counts[3] == 0
    assert abs(counts[:3] - 1000).max() < 150


def test_priors_of_a_game():
    found = Search(load_call(parse(RACE)).initial(), "mcts(select=puct)", seed=1)
    found.run(Budget(simulations=50))
    worker = found.workers[0]
    np.testing.assert_allclose(worker.tree.nodes["chance"][worker.tree.children()], [0.25, 0.75])
    even = Search(state(), "mcts(select=puct)", seed=1)
    even.run(Budget(simulations=50))
    np.testing.assert_allclose(even.workers[0].tree.nodes["chance"][even.workers[0].tree.children()], 1 / 9, rtol=1e-6)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ucb2", "unknown selection policy 'ucb2': did you mean 'ucb1'?"),
        ("ucb1(d=1)", "has no parameter 'd'"),
        ("ucb1(c=inf)", "'c' must be between -2**60 and 2**60, not inf"),
        ("ucb1(c=true)", "'c' must be a number, not 'True'"),
        ("exp3(g=0)", "'g' must be above 0 and at most 1, not 0"),
        ("exp3(g=1.5)", "'g' must be above 0 and at most 1, not 1.5"),
        ("epsilon_greedy(eps=2)", "'eps' must be at least 0 and at most 1, not 2"),
        ("thompson(c1=-1)", "'c1' must be above 0, not -1"),
        ("omc(value=median)", "'value' must be one of mean, total, not 'median'"),
        ("omc(value=0)", "'value' must be one of mean, total, not '0'"),
        ("sufficiency_dynamic(orientation=sideways)", "'orientation' must be one of above, below"),
        ("./nowhere.py:rule", "there is no file ./nowhere.py"),
    ],
)
def test_mistakes_are_one_sentence(text, sentence):
    with pytest.raises(RamifyError, match=re.escape(sentence)) as error:
        resolve(parse(text))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("def rule(n, q):\n    return 1.0\n", "asks for 'q', which is unknown: use N, lnN, K, lnK, root, n, lnn, m"),
        ("def rule(n, means):\n    return 1.0\n", "policy 'rule' (line 1) asks for 'means'"),
        ("def rule(n, c: 'Nothing' = 1.0):\n    return c\n", "the annotations of policy 'rule' cannot be read"),
        ("x = 1\n", "has 0 selection policies: a policy is a public function"),
        ("def a(n):\n    return n\n\ndef b(n):\n    return n\n", "has 2 selection policies: name one"),
        ("import nothing_like_it\n", "cannot be imported: ModuleNotFoundError"),
    ],
)
def test_mistakes_in_a_file(tmp_path, body, sentence):
    with pytest.raises(RamifyError, match=re.escape(sentence)):
        named(write(tmp_path / "mine.py", body))


def test_a_name_that_the_file_lacks(tmp_path):
    path = write(tmp_path / "mine.py", "def rule(n, m):\n    return m\n")
    assert named(path).name == "rule"
    with pytest.raises(RamifyError, match="has no selection policy 'rul': did you mean 'rule'"):
        named(f"{path}:rul")


def test_words_and_true_and_false(tmp_path):
    body = "from typing import Literal\n\n\n"
    body += "def rule(m, n, way: Literal['up', 'down'] = 'up', firm=False):\n"
    body += "    return (m if way == 0 else -m) + (0.0 if firm else 1.0 / n)\n"
    path = write(tmp_path / "mine.py", body)
    assert resolve(parse(f"{path}(way=down, firm=true)")).constants == (("way", 1.0), ("firm", 1.0))
    assert resolve(parse(f'{path}(way="down")')).constants == (("way", 1.0), ("firm", 0.0))
    with pytest.raises(RamifyError, match="'firm' must be true or false, not '1'"):
        resolve(parse(f"{path}(firm=1)"))
    means = np.array([0.2, 0.9])
    assert Node(f"{path}(way=down, firm=true)", [3, 3], means).choose() == 0
    assert Node(f"{path}(firm=true)", [3, 3], means).choose() == 1


@pytest.mark.parametrize("choice", ["K + 5", "K", "-1", "float('nan')"])
def test_a_choice_outside_the_arms_is_refused(tmp_path, choice):
    path = write(tmp_path / "mine.py", f"def rule(K, rng):\n    return {choice}\n")
    with pytest.raises(BadChoiceError):
        Node(path, [1, 1, 1]).choose()


@pytest.mark.parametrize("arms", [1, 3, 4, 7, 8, 9, 30])
@pytest.mark.parametrize("index", ["m * log(-1.0 * n)", "m * log(-1.0 * n) if n > 0.0 else m"])
def test_indices_that_are_no_numbers_are_refused(tmp_path, index, arms):
    """As a formula for four arms, and as a function of one."""
    path = write(tmp_path / "mine.py", f"from numpy import log\n\n\ndef rule(n, m):\n    return {index}\n")
    with pytest.raises(BadChoiceError), np.errstate(all="ignore"):
        Node(path, [1] * arms).choose()


def test_a_policy_may_learn(tmp_path):
    body = "def last(K, luck, rng, work):\n    best = 0\n    for k in range(K):\n"
    body += "        if luck[k] > luck[best]:\n            best = k\n    return best\n\n\n"
    body += "def last_update(k, reward, luck):\n    luck[k] = reward\n"
    path = write(tmp_path / "mine.py", body)
    node = Node(path, [0, 0, 0])
    node.credit(2, 0.75)
    node.credit(1, 0.5)
    assert node.kept("luck").tolist() == [0.0, 0.5, 0.75]
    assert node.choose() == 2
    report = search(state(), f"mcts(select={path})", simulations=100, seed=1)
    assert sum(child.visits for child in report.children) == 100


CHILD = """
import sys
from ramify.agents.search.search import search
from ramify.contract.registry import load_call
from ramify.grammar import parse

report = search(load_call(parse("tictactoe")).initial(), f"mcts(select={sys.argv[1]})", simulations=200, seed=1)
print([child.visits for child in report.children])
"""


def in_another_process(policy):
    made = subprocess.run(
        [sys.executable, "-c", CHILD, policy], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    return made.stdout


def test_a_changed_neighbour_is_compiled_anew(tmp_path):
    """Numba stamps cached code with one file; what that file imports counts, too."""
    mine = write(tmp_path / "mine.py", "from neighbour import bonus\n\n\ndef rule(N, n, m):\n    return m + bonus(n)\n")
    head = "from ramify.core.kernels.compiling import jit\n\n\n@jit\ndef bonus(n):\n    return "
    write(tmp_path / "neighbour.py", head + "0.1 / n\n")
    first = in_another_process(f"{mine}:rule")
    write(tmp_path / "neighbour.py", head + "100.0 / n\n")
    assert in_another_process(f"{mine}:rule") != first


def test_agents_of_files_print_back(tmp_path):
    path = write(tmp_path / "mine.py", "def rule(m, n, c=1.0):\n    return m + c / n\n")
    made = agent(f"mcts(select={path}:rule(c=0.5))")
    assert agent(str(made)) == made
    assert made.select.policy.file.endswith("mine.py")


def test_odd_names_of_files(tmp_path):
    path = write(tmp_path / "2nd-try.py", "def rule(m, n, c=1.0):\n    return m + c / n\n")
    assert Node(path, [3, 3], np.array([0.2, 0.9])).choose() == 1


def test_agents_are_data(tmp_path):
    path = write(tmp_path / "mine.py", "def rule(m, n, c=1.0):\n    return m + c / n\n")
    for text in ("mcts(select=exp3)", f"mcts(select={path})"):
        assert pickle.loads(pickle.dumps(agent(text))) == agent(text)


def test_names_are_sorted_and_complete():
    assert list(policies()) == sorted(policies())
    assert {
        "ucb1", "ucb1_tuned", "ucb_v", "ucb_minimal", "ucb_sqrt", "moss", "omc", "omc_stochastic", "pbbm", "random",
        "epsilon_greedy", "thompson", "exp3", "sufficiency", "sufficiency_dynamic", "accelerated_ucb",
        "discounted_ucb", "kl_ucb", "regret_matching", "puct",
    } <= set(policies())  # fmt: skip
