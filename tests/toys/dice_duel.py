"""Each of two players chooses a die, and chance rolls it; the higher roll wins. The second sees the first's roll.

Short enough that every expectation can be worked out by hand, or by the test.
"""

import numpy as np

from ramify.core.search.tree import CHANCE

PLAYERS = 2
MAX_MOVES = 2
MAX_CHANCE_OUTCOMES = 3
SAFE, WILD = 0, 1
NAMES = ("safe", "wild")

# The faces of each die and their probabilities; a face of 0 does not exist.
FACES = np.array([[3, 4, 0], [1, 5, 6]], np.int64)
PROBABILITIES = np.array([[0.4, 0.6, 0.0], [0.5, 0.3, 0.2]])

State = np.dtype([("rolls", np.int64, (PLAYERS,)), ("die", np.int64), ("ply", np.int64)])


def start(rules, state):
    state.ply = 0


def mover(rules, state):
    return CHANCE if state.ply % 2 == 1 else state.ply // 2


def over(rules, state):
    return state.ply == 2 * PLAYERS


def legal(rules, state, moves):
    moves[0] = SAFE
    moves[1] = WILD
    return 2


def chance_outcomes(rules, state, moves, probabilities):
    count = 2 if state.die == SAFE else 3
    for k in range(count):
        moves[k] = FACES[state.die, k]
        probabilities[k] = PROBABILITIES[state.die, k]
    return count


def play(rules, state, move):
    if state.ply % 2 == 0:
        state.die = move
    else:
        state.rolls[state.ply // 2] = move
    state.ply += 1


def scores(rules, state, out):
    lead = state.rolls[0] - state.rolls[1]
    out[0] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    out[1] = 1.0 - out[0]


def move_name(rules, state, move):
    return NAMES[move] if state.ply % 2 == 0 else f"roll{move}"
