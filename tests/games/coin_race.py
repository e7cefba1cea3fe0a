"""A compiled toy of three players and chance: name a stake of 1 to 3, gain it if the coin is kind, reach 5 first."""

import numpy as np

from ramify.core.search.tree import CHANCE

PLAYERS = 3
MAX_MOVES = 3
MAX_CHANCE_OUTCOMES = 2
GOAL = 5
TURNS = 20

State = np.dtype([("points", np.int64, (3,)), ("stake", np.int64), ("turn", np.int64)])


def start(rules, state):
    for player in range(3):
        state.points[player] = 0
    state.stake = 0
    state.turn = 0


def mover(rules, state):
    return CHANCE if state.stake > 0 else state.turn % 3


def over(rules, state):
    best = max(state.points[0], state.points[1], state.points[2])
    return state.stake == 0 and (best >= GOAL or state.turn == TURNS)


def legal(rules, state, moves):
    for k in range(3):
        moves[k] = k + 1
    return 3


def chance_outcomes(rules, state, moves, probabilities):
    moves[0] = 0
    moves[1] = 1
    probabilities[1] = 1.0 / (1.0 + state.stake)
    probabilities[0] = 1.0 - probabilities[1]
    return 2


def play(rules, state, move):
    if state.stake == 0:
        state.stake = move
    else:
        state.points[state.turn % 3] += move * state.stake
        state.stake = 0
        state.turn += 1


def scores(rules, state, out):
    for player in range(3):
        out[player] = min(state.points[player], GOAL) / GOAL
