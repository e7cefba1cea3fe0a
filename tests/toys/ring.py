"""A token on a ring that both players push: positions repeat, so some of them have a winner and others none.

The token stands on one of ``places``. Player 0 pushes it one or two on, player 1 one or two back. Player 0 wins if
it comes to rest on place 0 by her push, player 1 if it does by his. Where neither can force that, play never ends.
"""

import numpy as np

PLAYERS = 2
MAX_MOVES = 2

Rules = np.dtype([("places", np.int64)])
State = np.dtype([("at", np.int64), ("turn", np.int64)])


def configure(rules, places=7):
    rules.places = places


def start(rules, state):
    state.at = rules.places // 2
    state.turn = 0


def mover(rules, state):
    return state.turn


def over(rules, state):
    return state.at == 0


def legal(rules, state, moves):
    moves[0] = 1
    moves[1] = 2
    return 2


def play(rules, state, move):
    if state.turn == 0:
        state.at = (state.at + move) % rules.places
    else:
        state.at = (state.at - move) % rules.places
    state.turn = 1 - state.turn


def scores(rules, state, out):
    out[1 - state.turn] = 1.0
    out[state.turn] = 0.0
