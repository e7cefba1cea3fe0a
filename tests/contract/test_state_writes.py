"""Proofs that questions do not change the state."""

import importlib.util
import sys

import pytest

from ramify.contract.state_writes import keeps_state

HEAD = """
import numpy as np
from ramify.core.numbers.bits import popcount
from ramify.core.numbers.rng import below

Rules = np.dtype([("size_of_board", np.int64)])
State = np.dtype([("board", np.int64, (4,)), ("turn", np.int64), ("rng", np.uint64, (1,)), ("heap", np.uint64)])


def over(rules, state):
    return state.turn > 3


def fill(values, target):
    for k in range(4):
        target[k] = values[k]
    return 4


def again(n):
    return again(n - 1) if n else 0


def cleared(board):
    board[0] = 0
    return board
"""
PROVED = (
    "count = 0\n    for k in range(4):\n        moves[count] = k\n        count += 1\n    return count",
    "return fill(state.board, moves)",
    "turn = state.turn\n    turn += 1\n    moves[0] = np.int64(turn)\n    return 1",
    "moves[0] = popcount(state.heap)\n    return 1",
    "board = state.board\n    moves[0] = board[0]\n    return 1",
)
NOT_PROVED = (
    "state.turn = 1\n    return 1",
    "state.turn += 1\n    return 1",
    "state.board[0] = 1\n    return 1",
    "state.board[:] = 0\n    return 1",
    "board = state.board\n    board[0] = 1\n    return 1",
    "board = state.board\n    board += 1\n    return 1",
    "board, turn = state.board, 0\n    board += 1\n    return 1",
    "for row in state.board.reshape(2, 2):\n        row += 1\n    return 1",
    "moves = state.board\n    moves[0] = 1\n    return 1",
    "return fill(moves, state.board)",
    "return fill(target=state.board, values=moves)",
    "return cleared(state.board)[0]",
    "state.board.sort()\n    return 1",
    "state.board.fill(0)\n    return 1",
    "np.copyto(state.board, moves[:4])\n    return 1",
    "moves[0] = below(state.rng, np.int64(4))\n    return 1",
    "helper = fill\n    return helper(moves, state.board)",
    "state.board[0], moves[0] = 1, 2\n    return 1",
    "return again(state.turn)",
    "for state.turn in range(3):\n        pass\n    return 1",
)


def proved(path, source, part):
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, path.stem, module)
        spec.loader.exec_module(module)
        return keeps_state(module, part)


@pytest.mark.parametrize("number", range(len(PROVED)))
def test_functions_that_only_fill_their_list_are_proved(tmp_path, number):
    source = f"{HEAD}\n\ndef legal(rules, state, moves):\n    {PROVED[number]}\n"
    assert proved(tmp_path / f"proved_{number}.py", source, "legal")


@pytest.mark.parametrize("number", range(len(NOT_PROVED)))
def test_functions_that_may_change_the_state_are_not(tmp_path, number):
    source = f"{HEAD}\n\ndef legal(rules, state, moves):\n    {NOT_PROVED[number]}\n"
    assert not proved(tmp_path / f"unproved_{number}.py", source, "legal")


def test_over_must_be_proved_too(tmp_path):
    head = HEAD.replace("return state.turn > 3", "state.turn += 1\n    return state.turn > 3")
    assert not proved(tmp_path / "over.py", f"{head}\n\ndef mover(rules, state):\n    return 0\n", "mover")
