"""A puzzle for one: from 1, double or add one, five times; the nearer to the target, the better."""

import numpy as np

from ramify.errors import RamifyError

PLAYERS = 1
MAX_MOVES = 2
DOUBLE, ADD = 0, 1
STEPS = 5

Rules = np.dtype([("target", np.int64)])
State = np.dtype([("number", np.int64), ("steps", np.int64)])


def configure(rules, target=17):
    if target < 1:
        raise RamifyError(f"double_or_add needs a target from 1, not {target}")
    rules.target = target


def start(rules, state):
    state.number = 1


def mover(rules, state):
    return 0


def over(rules, state):
    return state.steps == STEPS


def legal(rules, state, moves):
    moves[0] = DOUBLE
    moves[1] = ADD
    return 2


def play(rules, state, move):
    state.number = state.number * 2 if move == DOUBLE else state.number + 1
    state.steps += 1


def scores(rules, state, out):
    out[0] = max(0.0, 1.0 - abs(state.number - rules.target) / rules.target)


def move_name(rules, state, move):
    return ("double", "add")[move]
