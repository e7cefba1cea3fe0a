"""Two players say a number in turn; the game ends after the second, in a stage where everybody would move at once."""

import numpy as np

from ramify.core.search.tree import SIMULTANEOUS

PLAYERS = 2
MAX_MOVES = 3

State = np.dtype([("said", np.int64, (PLAYERS,)), ("turn", np.int64)])


def start(rules, state):
    state.turn = 0


def mover(rules, state):
    return state.turn if state.turn < PLAYERS else SIMULTANEOUS


def over(rules, state):
    return state.turn == PLAYERS


def legal(rules, state, moves):
    for number in range(MAX_MOVES):
        moves[number] = number
    return MAX_MOVES


def play(rules, state, move):
    state.said[state.turn] = move
    state.turn += 1


def legal_of(rules, state, player, moves):
    moves[0] = 0
    return 1


def play_joint(rules, state, moves):
    state.turn += 1


def scores(rules, state, out):
    lead = state.said[0] - state.said[1]
    out[0] = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
    out[1] = 1.0 - out[0]
