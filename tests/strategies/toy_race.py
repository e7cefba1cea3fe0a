"""A race for three: step on or throw a coin for two steps or none; who reaches the goal first has it all.

It has chance, three players and priors of its own, for what few games have.
"""

import numpy as np

PLAYERS = 3
MAX_MOVES = 2
MAX_CHANCE_OUTCOMES = 2

Rules = np.dtype([("goal", np.int64)])
State = np.dtype([("at", np.int64, 3), ("mover", np.int64), ("coin", np.int64)])


def configure(rules, goal=4):
    rules.goal = goal


def start(rules, state):
    for player in range(3):
        state.at[player] = 0
    state.mover = 0
    state.coin = 0


def mover(rules, state):
    return -1 if state.coin else state.mover


def over(rules, state):
    return max(state.at[0], state.at[1], state.at[2]) >= rules.goal


def legal(rules, state, moves):
    moves[0] = 1
    moves[1] = 9
    return 2


def chance_outcomes(rules, state, moves, probabilities):
    moves[0], moves[1] = 0, 2
    probabilities[0], probabilities[1] = 0.4, 0.6
    return 2


def play(rules, state, move):
    if move == 9:
        state.coin = 1
        return
    state.at[state.mover] += move
    state.coin = 0
    state.mover = (state.mover + 1) % 3


def scores(rules, state, out):
    for player in range(3):
        out[player] = 1.0 if state.at[player] >= rules.goal else 0.0


def priors(rules, state, moves, count, out):
    for k in range(count):
        out[k] = 3.0 if moves[k] == 9 else 1.0
