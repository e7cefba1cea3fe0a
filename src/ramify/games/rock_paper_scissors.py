"""Rock, paper, scissors: both choose at once; rock beats scissors, scissors beat paper, paper beats rock.

What a win is worth may depend on what won. Scores are 1/2 for a draw and 1/2 plus or minus half the winner's worth over
the largest. Playing rock, paper and scissors with probabilities in proportion to what scissors, rock and paper are
worth makes every answer a draw on average: the equilibrium is 1/3 each, and 1/16, 10/16, 5/16 in the biased game
``rock_paper_scissors(rock=50, paper=25, scissors=5)`` of M. Shafiei, N. Sturtevant and J. Schaeffer, "Comparing UCT
versus CFR in Simultaneous Games" (2009).

Moves are ``rock``, ``paper`` and ``scissors``. Position text: ``start``, or what both chose: ``rock paper``.
"""

import numpy as np

from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError

PLAYERS = 2
MAX_MOVES = 3
MOVE_CLASSES = 3
NAMES = ("rock", "paper", "scissors")

Rules = np.dtype([("worth", np.float64, (3,))])
State = np.dtype([("chosen", np.int64, (2,))])  # 1 + the move; 0: not yet


def configure(rules, rock=1.0, paper=1.0, scissors=1.0):
    if not all(0 < worth < 1e9 for worth in (rock, paper, scissors)):
        raise RamifyError(f"wins are worth more than 0, not rock={rock:g}, paper={paper:g}, scissors={scissors:g}")
    rules.worth[:] = rock, paper, scissors


def start(rules, state):
    state.chosen[0] = state.chosen[1] = 0


def mover(rules, state):
    return SIMULTANEOUS


def over(rules, state):
    return state.chosen[0] != 0


def legal_of(rules, state, player, moves):
    for move in range(3):
        moves[move] = move
    return 3


def play_joint(rules, state, moves):
    for player in range(2):
        state.chosen[player] = moves[player] + 1


def scores(rules, state, out):
    lead = (state.chosen[0] - state.chosen[1]) % 3  # 1: the first player's beats the second's
    out[0] = out[1] = 0.5
    if lead != 0:
        winner = 0 if lead == 1 else 1
        worth = rules.worth[state.chosen[winner] - 1] / max(rules.worth[0], rules.worth[1], rules.worth[2])
        out[winner] += 0.5 * worth
        out[1 - winner] -= 0.5 * worth


def move_name(rules, state, move):
    return NAMES[move]


def write(rules, state):
    return " ".join(NAMES[chosen - 1] for chosen in state.chosen) if state.chosen[0] else "start"


def read(rules, state, text):
    words = text.split()
    if words != ["start"]:
        if len(words) != 2 or set(words) - set(NAMES):
            raise RamifyError("give start, or what both chose, like rock paper")
        state.chosen[:] = [NAMES.index(word) + 1 for word in words]


def draw(rules, state):
    return write(rules, state)
