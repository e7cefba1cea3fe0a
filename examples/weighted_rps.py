"""Rock, paper, scissors for one round, where rock's win over scissors is worth ``rock`` times any other.

Both choose at once. With rock=2 the equilibrium is to play rock, paper and scissors 1 : 2 : 1.
"""

import numpy as np

from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError

PLAYERS = 2
MAX_MOVES = 3
NAMES = ("rock", "paper", "scissors")

Rules = np.dtype([("rock", np.int64)])
State = np.dtype([("lead", np.int64), ("over", np.int64)])  # how much the first player has won by


def configure(rules, rock=2):
    if not 1 <= rock <= 100:
        raise RamifyError(f"rock must be worth 1 to 100 wins, not {rock}")
    rules.rock = rock


def start(rules, state):
    state.lead = 0


def mover(rules, state):
    return SIMULTANEOUS


def over(rules, state):
    return state.over == 1


def legal_of(rules, state, player, moves):
    for move in range(3):
        moves[move] = move
    return 3


def play_joint(rules, state, moves):
    state.over = 1
    ahead = (moves[0] - moves[1]) % 3  # 1: the first player's move beats the second's
    if ahead != 0:
        winner = 0 if ahead == 1 else 1
        worth = rules.rock if moves[winner] == 0 else 1
        state.lead = worth if winner == 0 else -worth


def scores(rules, state, out):
    out[0] = 0.5 + 0.5 * state.lead / rules.rock
    out[1] = 1.0 - out[0]


def move_name(rules, state, move):
    return NAMES[move]


def draw(rules, state):
    return f"the first player is ahead by {state.lead}" if state.over else "rock, paper or scissors?"
