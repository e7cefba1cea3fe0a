"""Matching Pennies: both players simultaneously show a side of a coin; the first wins if they match, else the second.

The only equilibrium is to show each side with probability 1/2, and the game is worth 1/2 to both. A player with a pure
strategy can be beaten every time.

Moves are ``heads`` and ``tails``. Position text: ``start``, or the moves of both players: ``heads tails``.
"""

import numpy as np

from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError

PLAYERS = 2
MAX_MOVES = 2
MOVE_CLASSES = 2
NAMES = ("heads", "tails")

State = np.dtype([("shown", np.int64, (2,))])  # 1 + move, or 0 before the move


def start(rules, state):
    state.shown[0] = state.shown[1] = 0


def mover(rules, state):
    return SIMULTANEOUS


def over(rules, state):
    return state.shown[0] != 0


def legal_of(rules, state, player, moves):
    moves[0] = 0
    moves[1] = 1
    return 2


def play_joint(rules, state, moves):
    for player in range(2):
        state.shown[player] = moves[player] + 1


def scores(rules, state, out):
    out[0] = 1.0 if state.shown[0] == state.shown[1] else 0.0
    out[1] = 1.0 - out[0]


def move_name(rules, state, move):
    return NAMES[move]


def write(rules, state):
    return " ".join(NAMES[shown - 1] for shown in state.shown) if state.shown[0] else "start"


def read(rules, state, text):
    words = text.split()
    if words != ["start"]:
        if len(words) != 2 or set(words) - set(NAMES):
            raise RamifyError("expected start or two moves, e.g. heads tails")
        state.shown[:] = [NAMES.index(word) + 1 for word in words]


def draw(rules, state):
    return write(rules, state)
