"""Two boats in a storm: the wind says who may move, which moves there are, and when the game is over.

A player's move is a number of miles. Then chance blows, one to three times: it may give the turn to either player, take
some of the moves away, and end the game. Moves are listed in an order that depends on the wind.
"""

import numpy as np

from ramify.core.search.tree import CHANCE

PLAYERS = 2
MAX_MOVES = 5
MAX_CHANCE_OUTCOMES = 4

State = np.dtype([("at", np.int64, 2), ("mover", np.int64), ("wind", np.int64), ("gusts", np.int64), ("ply", np.int64)])


def start(rules, state):
    state.at[0] = state.at[1] = 0
    state.mover = state.gusts = state.ply = 0
    state.wind = 3


def mover(rules, state):
    return CHANCE if state.gusts > 0 else state.mover


def over(rules, state):
    return state.gusts == 0 and ((state.wind == 0 and state.ply > 3) or state.ply >= 12)


def legal(rules, state, moves):
    count = 2 + state.wind
    for k in range(count):
        moves[k] = (k * 2 + state.wind) % 5 if state.wind == 3 else state.wind + k
    return count


def chance_outcomes(rules, state, moves, probabilities):
    for k in range(4):
        moves[k] = k
        probabilities[k] = 0.1 * (k + 1)
    return 4


def play(rules, state, move):
    if state.gusts > 0:
        state.gusts -= 1
        state.wind = (state.wind + move) % 4
        state.mover = (state.at[0] + move) % 2
    else:
        state.at[state.mover] += move
        state.ply += 1
        state.gusts = 1 + move % 3 if state.ply % 3 != 1 else 0
        state.mover = 1 - state.mover


def scores(rules, state, out):
    lead = state.at[0] - state.at[1]
    out[0] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    out[1] = 1.0 - out[0]


def move_name(rules, state, move):
    return f"blow{move}" if state.gusts > 0 else f"sail{move}"
