"""An exception in an author's function ends the search with a sentence, and harms nothing."""

import json
import re

import numpy as np
import pytest

import ramify
from ramify.core.kernels import pointers
from ramify.core.kernels.compiling import JIT, entry, kernel, python_kernel
from tests import processes
from tests.core import raising
from tests.trusting import trust_all


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("raising")


@pytest.fixture(scope="module")
def here(folder):
    with pytest.MonkeyPatch.context() as patch:
        trust_all(patch.setattr)
        return raising.messages(folder)


@pytest.mark.parametrize("part", raising.IN_GAMES)
def test_games(here, folder, part):
    line, message = raising.IN_GAMES[part]
    number = raising.line_of(raising.game_file(folder, part), line)
    said, (_, unharmed), again = here[part]
    if "*" in message:
        message = f"{message.replace('*', str(number))} [{number}]"
    assert said.startswith(message)
    assert again == said
    assert unharmed


@pytest.mark.parametrize("part", raising.IN_POLICIES)
def test_policies(here, folder, part):
    line, message = raising.IN_POLICIES[part]
    number = raising.line_of(raising.policy_file(folder, part), line)
    said, (finished, unharmed), again = here[part]
    message = message.replace("*", f"in policy.py, line {number}, raised")
    assert here[f"bandit {part}"] == f"{message} [{number}]"
    assert said.startswith(message.removesuffix("2"))
    assert again == said
    assert unharmed
    assert finished > 0


@pytest.mark.parametrize("what", ["perft", "survey", "solve", "moves"])
def test_whatever_else_calls_the_game(here, what):
    assert here[what] == here["legal"][0]


@pytest.mark.parametrize("variables", [{}, {"NUMBA_DISABLE_JIT": "1"}], ids=["from disk", "plain Python"])
def test_another_process_says_the_same(here, folder, variables):
    assert json.loads(processes.run("-m", "tests.core.raising", str(folder), **variables)) == here


def test_position_and_seed_are_told(folder, monkeypatch):
    trust_all(monkeypatch.setattr)
    state = ramify.load(str(raising.game_file(folder, "legal"))).initial()
    with pytest.raises(ramify.RamifyError) as caught:
        ramify.search(state, simulations=500, seed=42)
    assert re.search(r"raised ValueError: no stones left; in the position \([23], \d\), seed 42$", str(caught.value))
    rule = f"{raising.policy_file(folder, 'index')}:index"
    with pytest.raises(ramify.RamifyError, match=r"AssertionError: high; in the position [xo./]{11}, seed 7$"):
        ramify.search(ramify.load("tictactoe").initial(), f"mcts(select={rule})", simulations=500, seed=7)


def test_numbas_own_code_has_no_line(tmp_path, monkeypatch):
    """After a failed search, plain Python repeats the position and finds the line."""
    trust_all(monkeypatch.setattr)
    line = "np.empty(np.int64(1 - state.left), np.int64)"
    text = raising.GAME.replace("{legal}", f"size = len({line}); state.turn += 0 * size")
    file = raising.written(tmp_path, "game.py", text, raising.PARTS, "", "")
    state = ramify.load(str(file)).initial()
    said = [raising.said(state.moves), raising.said(lambda: ramify.search(state, simulations=9))]
    if JIT:
        assert said == [
            "legal() in game.py raised ValueError: negative dimensions not allowed [None]",
            "legal() in game.py, line 34, raised ValueError: negative dimensions are not allowed [34]",
        ]
    else:
        assert all(one.startswith("legal() in game.py, line ") for one in said)


def raising_kernel(number):
    if number < 0:
        raise ValueError("negative")
    return 2 * number


@entry
def call_both(one, other, number):
    return pointers.call(one, (number,)) + pointers.call(other, (number,))


def test_kernels():
    """Compiled or not, called by compiled code or by Python."""
    compiled = kernel(raising_kernel)
    plain = python_kernel(lambda number: 3 * number if number < 9 else pointers.FAILED, 1)
    assert call_both(compiled.address, plain.address, np.int64(4)) == 20
    for call in (compiled, lambda number: call_both(compiled.address, plain.address, np.int64(number))):
        with pytest.raises(ValueError, match="negative"):
            call(-1)
    with pytest.raises(pointers.KernelFailedError):
        call_both(compiled.address, plain.address, np.int64(9))
    assert compiled(5) == 10
