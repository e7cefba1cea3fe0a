"""Two players take coins in turn from either end of a row; each scores its share of them all.

Scores are sevenths, tenths and the like: in floating point those of both players need not add up to 1 exactly.
"""

import numpy as np

PLAYERS = 2
MAX_MOVES = 2
LEFT, RIGHT = 0, 1
COINS = np.array([2, 5, 1, 4, 3, 6, 1, 3])

State = np.dtype([("first", np.int64), ("last", np.int64), ("taken", np.int64, (2,)), ("turn", np.int64)])


def start(rules, state):
    state.last = len(COINS) - 1


def mover(rules, state):
    return state.turn


def over(rules, state):
    return state.first > state.last


def legal(rules, state, moves):
    moves[0] = LEFT
    moves[1] = RIGHT
    return 2


def play(rules, state, move):
    state.taken[state.turn] += COINS[state.first if move == LEFT else state.last]
    if move == LEFT:
        state.first += 1
    else:
        state.last -= 1
    state.turn = 1 - state.turn


def scores(rules, state, out):
    for player in range(PLAYERS):
        out[player] = state.taken[player] / (state.taken[0] + state.taken[1])
