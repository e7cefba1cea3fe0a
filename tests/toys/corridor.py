"""A corridor with one way to go, as long as asked: deep trees, long playouts, and a winner known from the start."""

import numpy as np

PLAYERS = 2
MAX_MOVES = 1

Rules = np.dtype([("length", np.int64)])
State = np.dtype([("at", np.int64)])


def configure(rules, length=5000):
    rules.length = length


def start(rules, state):
    state.at = 0


def mover(rules, state):
    return state.at % 2


def over(rules, state):
    return state.at >= rules.length


def legal(rules, state, moves):
    moves[0] = 1
    return 1


def play(rules, state, move):
    state.at += 1


def scores(rules, state, out):
    out[0] = 1.0
    out[1] = 0.0
