"""Twelve choices of two. One line of play in five hundred writes to memory of others, or never ends."""

import numpy as np

from ramify.core.kernels.pointers import array

PLAYERS = 2
MAX_MOVES = 2
PLIES = 12
WRITES_BEYOND = 1
NEVER_ENDS = 2

Rules = np.dtype([("fault", np.int64)])
State = np.dtype([("ply", np.int64), ("line", np.int64), ("cells", np.int64, 4)])


def configure(rules, fault=0):
    rules.fault = fault


def start(rules, state):
    state.ply = 0
    state.line = 0


def mover(rules, state):
    return state.ply % 2


def over(rules, state):
    return state.ply >= PLIES


def legal(rules, state, moves):
    moves[0] = 0
    moves[1] = 1
    return 2


def play(rules, state, move):
    state.line = 2 * state.line + move
    state.ply += 1
    if state.ply == PLIES and state.line % 512 == 77:
        if rules.fault == WRITES_BEYOND:
            array(4096, 1, np.int64)[0] = 1
        while rules.fault == NEVER_ENDS:
            state.cells[state.ply % 4] += 1


def scores(rules, state, out):
    out[0] = (state.line * 2654435761 >> 16) % 2
    out[1] = 1.0 - out[0]
