"""Many numbers to choose from, twice: the sum counts, so that a position has as many ways to it as there are sums.

Player 0 adds a number below ``numbers``, then player 1 does; player 0 wins if the sum is a multiple of 3.
"""

import numpy as np

PLAYERS = 2
MAX_MOVES = 400

Rules = np.dtype([("numbers", np.int64)])
State = np.dtype([("total", np.int64), ("made", np.int64)])


def configure(rules, numbers=400):
    rules.numbers = numbers


def start(rules, state):
    state.total = 0
    state.made = 0


def mover(rules, state):
    return state.made & 1


def over(rules, state):
    return state.made == 4


def legal(rules, state, moves):
    for number in range(rules.numbers):
        moves[number] = number
    return rules.numbers


def play(rules, state, move):
    state.total = (state.total + move) % 5
    state.made += 1


def scores(rules, state, out):
    out[0] = 1.0 if state.total % 3 == 0 else 0.0
    out[1] = 1.0 - out[0]
