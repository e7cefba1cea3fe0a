"""A race with uneven dice for two: choose a die, chance rolls it; the first to reach the goal wins.

The probabilities are no sums of powers of two, so that rounding shows; the safe die has two faces and the wild die
three, so that chance nodes differ in size.
"""

import numpy as np

PLAYERS = 2
MAX_MOVES = 2
MAX_CHANCE_OUTCOMES = 3

Rules = np.dtype([("goal", np.int64)])
State = np.dtype([("at", np.int64, 2), ("mover", np.int64), ("die", np.int64)])  # die: 0 not chosen, 1 safe, 2 wild


def configure(rules, goal=7):
    rules.goal = goal


def start(rules, state):
    state.at[0] = 0
    state.at[1] = 0
    state.mover = 0
    state.die = 0


def mover(rules, state):
    return state.mover if state.die == 0 else -1


def over(rules, state):
    return state.at[0] >= rules.goal or state.at[1] >= rules.goal


def legal(rules, state, moves):
    moves[0] = 10
    moves[1] = 20
    return 2


def chance_outcomes(rules, state, moves, probabilities):
    if state.die == 1:
        moves[0], moves[1] = 1, 2
        probabilities[0], probabilities[1] = 0.3, 0.7
        return 2
    moves[0], moves[1], moves[2] = 0, 3, 1
    probabilities[0], probabilities[1], probabilities[2] = 0.55, 0.1, 0.35
    return 3


def play(rules, state, move):
    if state.die == 0:
        state.die = move // 10
    else:
        state.at[state.mover] += move
        state.die = 0
        state.mover = 1 - state.mover


def scores(rules, state, out):
    winner = 0 if state.at[0] >= rules.goal else 1
    out[winner] = 1.0
    out[1 - winner] = 0.0


def move_name(rules, state, move):
    return {10: "safe", 20: "wild"}.get(move, f"+{move}")
