"""Broken policies, one flaw at a time: the check says what is wrong, and no search starts with one."""

import json

import pytest

import ramify
from ramify.agents.checking import precheck
from ramify.agents.checking.check import check_policy
from ramify.contract.checking import trusted_files
from ramify.core.kernels.compiling import JIT
from ramify.strategies.policy.registry import policies
from tests.contract.broken import policies as broken
from tests.contract.broken.patience import patience_for

needs_compiler = pytest.mark.skipif(not JIT, reason="only compiled code shows it")
FLAWS = [*broken.FLAWS, *(pytest.param(one, marks=needs_compiler) for one in broken.COMPILED)]
GOOD = "def rule(n, m, N, c=0.5):\n    return m + c * N / n\n\n\ndef other(q):\n    return q\n"


def by_name(flaw):
    return getattr(flaw, "name", None)


@pytest.fixture(autouse=True)
def patience(monkeypatch, request):
    monkeypatch.setattr("ramify.agents.checking.check.CALL_TIMEOUT", patience_for(request))
    monkeypatch.setattr("ramify.agents.checking.precheck.CALL_TIMEOUT", patience_for(request))


@pytest.mark.parametrize("flaw", FLAWS, ids=by_name)
def test_the_check_tells_it(flaw, tmp_path):
    checked = check_policy(flaw.write(tmp_path), simulations=100)
    assert not checked.ok
    errors = [finding for finding in checked.findings if finding.severity == "error"]
    assert {finding.rule for finding in errors} == {flaw.rule}, str(checked)
    assert flaw.words in errors[0].sentence
    assert errors[0].sentence in str(checked)
    assert errors[0].where.line is not None
    json.dumps(checked.to_dict())


@pytest.mark.parametrize("flaw", FLAWS, ids=by_name)
def test_no_search_starts_with_it(flaw, tmp_path):
    rule = flaw.write(tmp_path)
    for _ in range(2):  # what has failed is not taken for known
        with pytest.raises(ramify.RamifyError) as caught:
            ramify.search(ramify.load("tictactoe").initial(), f"mcts(select={rule})", simulations=50, seed=1)
        assert flaw.words in str(caught.value)
        assert "\n" not in str(caught.value)
        assert not any(name in str(caught.value) for name in ("numba", "nopython", "unicode_type", "Literal["))
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.bandits.run(ramify.bandits.bernoulli([0.2, 0.7]), rule, pulls=50, seed=1)
    assert flaw.words in str(caught.value)


def test_a_constant_that_changes_nothing(tmp_path):
    checked = check_policy(broken.UNUSED.write(tmp_path), simulations=50)
    assert checked.ok  # a search with it is valid
    assert [finding.rule for finding in checked.findings] == [broken.UNUSED.rule]
    assert broken.UNUSED.words in str(checked)
    assert ("searches compared" in checked.counts) == JIT


def test_what_a_policy_asks_for_in_vain(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("def rule(n, m, s):\n    return m\n", encoding="utf-8")
    checked = check_policy(str(path), simulations=50)
    assert checked.ok
    assert [finding.rule for finding in checked.findings] == ["unused-quantity"]
    assert "requests s but never uses it" in checked.findings[0].sentence


@pytest.mark.parametrize("name", sorted(policies()))
def test_ours_pass(name):
    checked = check_policy(name, simulations=60)
    assert not checked.findings


def test_a_policy_is_tried_once_and_again_when_its_file_changes(tmp_path, monkeypatch):
    tried = []
    rehearse = precheck.dry_run
    monkeypatch.setattr(precheck, "dry_run", lambda *a, **k: (tried.append(k["compiled"]), rehearse(*a, **k)))
    path = tmp_path / "mine.py"
    path.write_text(GOOD, encoding="utf-8")
    once = [compiled for compiled in ([False, True] if JIT else [False]) for _ in precheck.DRY_RUNS]

    def search(c):
        ramify.search(ramify.load("tictactoe").initial(), f"mcts(select={path}:rule(c={c}))", simulations=20, seed=1)

    search(0.5)
    search(0.7)
    assert tried == once
    trusted_files.clear()  # as another process
    search(0.5)
    assert tried == once
    path.write_text(GOOD.replace("N / n", "n / N"), encoding="utf-8")
    search(0.5)
    assert tried == 2 * once


def test_a_function_that_is_none_does_not_stand_in_the_way(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(GOOD, encoding="utf-8")
    assert check_policy(f"{path}:rule", simulations=50).ok
    with pytest.raises(ramify.RamifyError, match=r"policy 'other' \(line 5\) asks for 'q'"):
        check_policy(f"{path}:other")


def test_constants_that_make_no_number_are_refused_later_too(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("from math import sqrt\n\n\ndef rule(n, m, c=0.5):\n    return m + c * sqrt(n)\n", encoding="utf-8")
    state = ramify.load("tictactoe").initial()
    ramify.search(state, f"mcts(select={path})", simulations=50, seed=1)
    path.write_text(path.read_text().replace("c * sqrt(n)", "(c - c) / (c - c + max(1.0 - c, 0.0) * n)"))
    ramify.search(state, f"mcts(select={path})", simulations=50, seed=1)
    with pytest.raises(
        ramify.RamifyError, match=r"returned nan, or an arm that does not exist.*in the position .*, seed 3"
    ):
        ramify.search(state, f"mcts(select={path}(c=2.0))", simulations=50, seed=3)


@pytest.mark.parametrize("simulations", [0, -1, 1.5, True])
def test_senseless_numbers(simulations):
    with pytest.raises(ramify.RamifyError, match="integer of at least 1"):
        check_policy("ucb1", simulations=simulations)
