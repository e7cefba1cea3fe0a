"""Positions of all three kinds: chance draws a prize, both bid at once, and whoever bids more keeps or gives it away.

Bids are coins and are gone; equal bids lose the prize. The fields have small types on purpose.
"""

import numpy as np

from ramify.core.search.tree import CHANCE, SIMULTANEOUS

PLAYERS = 2
MAX_MOVES = 4
MAX_CHANCE_OUTCOMES = 2
ROUNDS = 2
DRAWN, BID, DECIDE = 0, 1, 2

State = np.dtype(
    [
        ("coins", np.int8, (PLAYERS,)),
        ("worth", np.int8, (PLAYERS,)),
        ("prize", np.int8),
        ("winner", np.int8),
        ("stage", np.uint8),
        ("rounds", np.uint8),
    ]
)


def start(rules, state):
    state.coins[0] = state.coins[1] = 3


def mover(rules, state):
    if state.stage == DRAWN:
        return CHANCE
    return SIMULTANEOUS if state.stage == BID else state.winner


def over(rules, state):
    return state.rounds == ROUNDS


def chance_outcomes(rules, state, moves, probabilities):
    moves[0], moves[1] = 1, 3
    probabilities[0], probabilities[1] = 2.0 / 3.0, 1.0 / 3.0
    return 2


def legal_of(rules, state, player, moves):
    for bid in range(state.coins[player] + 1):
        moves[bid] = bid
    return state.coins[player] + 1


def play_joint(rules, state, moves):
    for player in range(PLAYERS):
        state.coins[player] -= moves[player]
    if moves[0] == moves[1]:
        next_round(state)
    else:
        state.winner = 0 if moves[0] > moves[1] else 1
        state.stage = DECIDE


def legal(rules, state, moves):
    moves[0], moves[1] = 0, 1
    return 2


def play(rules, state, move):
    if state.stage == DRAWN:
        state.prize = move
        state.stage = BID
    else:
        state.worth[state.winner if move == 0 else 1 - state.winner] += state.prize
        next_round(state)


def next_round(state):
    state.prize = 0
    state.winner = 0
    state.stage = DRAWN
    state.rounds += 1


def scores(rules, state, out):
    for player in range(PLAYERS):
        out[player] = state.worth[player] / (3.0 * ROUNDS)


def move_name(rules, state, move):
    if state.stage == DRAWN:
        return f"prize{move}"
    return f"bid{move}" if state.stage == BID else ("keep", "give")[move]
