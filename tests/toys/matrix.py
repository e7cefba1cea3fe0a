"""Matrix games: both players choose at once, and that is all.

``rps``: rock, paper, scissors. ``biased``: the same, where rock's win over scissors counts twice as much as any other;
in equilibrium rock, paper and scissors are played 1 : 2 : 1. ``pennies``: matching pennies, where the first player
scores 1 for two heads and 1/2 for two tails; in equilibrium both show heads once in three times, for a score of 1/3.
With ``swapped`` the players have changed places.
"""

import numpy as np

from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError

PLAYERS = 2
MAX_MOVES = 3
# By the moves of the two, what the first one scores.
PAYOFFS = {
    "rps": [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]],
    "biased": [[0.5, 0.25, 1.0], [0.75, 0.5, 0.25], [0.0, 0.75, 0.5]],
    "pennies": [[1.0, 0.0], [0.0, 0.5]],
}
NAMES = {2: ("heads", "tails"), 3: ("rock", "paper", "scissors")}

Rules = np.dtype([("moves", np.int64), ("payoff", np.float64, (MAX_MOVES, MAX_MOVES)), ("swapped", np.int64)])
State = np.dtype([("over", np.int64), ("score", np.float64)])


def configure(rules, kind="rps", swapped=False):
    if kind not in PAYOFFS:
        raise RamifyError(f"there is no matrix game '{kind}'; known are {', '.join(PAYOFFS)}")
    rules.moves = len(PAYOFFS[kind])
    for row, payoffs in enumerate(PAYOFFS[kind]):
        for column, payoff in enumerate(payoffs):
            rules.payoff[row, column] = payoff
    rules.swapped = swapped


def start(rules, state):
    state.over = 0


def mover(rules, state):
    return SIMULTANEOUS


def over(rules, state):
    return state.over == 1


def legal_of(rules, state, player, moves):
    for move in range(rules.moves):
        moves[move] = move
    return rules.moves


def play_joint(rules, state, moves):
    state.score = rules.payoff[moves[rules.swapped], moves[1 - rules.swapped]]
    state.over = 1


def scores(rules, state, out):
    out[rules.swapped] = state.score
    out[1 - rules.swapped] = 1.0 - state.score


def move_name(rules, state, move):
    return NAMES[int(rules.moves)][move]
