"""One choice of two. The game's own playout never ends once the generator has drawn a certain number."""

import numpy as np

from ramify.core.numbers.rng import below

PLAYERS = 2
MAX_MOVES = 2

State = np.dtype([("ply", np.int64)])


def start(rules, state):
    state.ply = 0


def mover(rules, state):
    return 0


def over(rules, state):
    return state.ply == 1


def legal(rules, state, moves):
    moves[0] = 0
    moves[1] = 1
    return 2


def play(rules, state, move):
    state.ply += 1


def playout(rules, state, rng):
    while below(rng, 64) == 7:
        while state.ply < 2:
            state.ply = 1
    state.ply = 1
    return 1


def scores(rules, state, out):
    out[0] = 1.0
    out[1] = 0.0
