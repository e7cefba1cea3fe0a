"""Rock, paper, scissors: both choose at once; the first to win ``wins`` rounds, and after nine rounds it is a draw."""

import numpy as np

from ramify.core.numbers.rng import below
from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError

PLAYERS = 2
MAX_MOVES = 3
ROUNDS = 9
NAMES = ("rock", "paper", "scissors")

Rules = np.dtype([("wins", np.int64)])
State = np.dtype([("won", np.int64, (PLAYERS,)), ("rounds", np.int64)])


def configure(rules, wins=2):
    if not 1 <= wins <= ROUNDS:
        raise RamifyError(f"rock_paper_scissors goes to 1 to {ROUNDS} wins, not {wins}")
    rules.wins = wins


def start(rules, state):
    state.rounds = 0


def mover(rules, state):
    return SIMULTANEOUS


def over(rules, state):
    return state.rounds == ROUNDS or max(state.won[0], state.won[1]) == rules.wins


def legal_of(rules, state, player, moves):
    for move in range(3):
        moves[move] = move
    return 3


def heuristic_of(rules, state, player, rng):
    """Rock as often as the other two together; the second player does without scissors."""
    return max(0, below(rng, 4 - player) - 1)


def play_joint(rules, state, moves):
    lead = (moves[0] - moves[1]) % 3  # 1: the first player's beats the second's
    if lead != 0:
        state.won[0 if lead == 1 else 1] += 1
    state.rounds += 1


def scores(rules, state, out):
    out[0] = out[1] = 0.5
    for player in range(PLAYERS):
        if state.won[player] == rules.wins:
            out[player] = 1.0
            out[1 - player] = 0.0


def move_name(rules, state, move):
    return NAMES[move]


def draw(rules, state):
    return f"{state.won[0]} : {state.won[1]} after {state.rounds} rounds"
