"""Rock, paper, scissors, chosen simultaneously: rock beats scissors, scissors beat paper, paper beats rock.

The parameters are the values of a win by each move. A draw scores 1/2; a win scores 1/2 plus half its value over the
largest value, a loss 1/2 minus the same. Playing rock, paper and scissors in proportion to the values of scissors, rock
and paper makes every reply a draw on average. This equilibrium is 1/3 each by default, and 1/16, 10/16, 5/16 in the
biased game ``rock_paper_scissors(rock=50, paper=25, scissors=5)`` of M. Shafiei, N. Sturtevant and J. Schaeffer,
"Comparing UCT versus CFR in Simultaneous Games" (2009).

Moves are ``rock``, ``paper`` and ``scissors``. Position text: ``start``, or the moves of both players: ``rock paper``.
"""

import numpy as np

from ramify.core.search.tree import SIMULTANEOUS
from ramify.errors import RamifyError

PLAYERS = 2
MAX_MOVES = 3
MOVE_CLASSES = 3
NAMES = ("rock", "paper", "scissors")

Rules = np.dtype([("win_values", np.float64, (3,))])
State = np.dtype([("chosen", np.int64, (2,))])  # 1 + move, or 0 before the move


def configure(rules, rock=1.0, paper=1.0, scissors=1.0):
    if not all(0 < value < 1e9 for value in (rock, paper, scissors)):
        raise RamifyError(
            f"invalid rock={rock:g}, paper={paper:g}, scissors={scissors:g} for rock_paper_scissors: use values above 0"
        )
    rules.win_values[:] = rock, paper, scissors


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
    lead = (state.chosen[0] - state.chosen[1]) % 3  # 1: player 0 wins, 2: player 1 wins
    out[0] = out[1] = 0.5
    if lead != 0:
        winner = 0 if lead == 1 else 1
        value = rules.win_values[state.chosen[winner] - 1] / max(
            rules.win_values[0], rules.win_values[1], rules.win_values[2]
        )
        out[winner] += 0.5 * value
        out[1 - winner] -= 0.5 * value


def move_name(rules, state, move):
    return NAMES[move]


def write(rules, state):
    return " ".join(NAMES[chosen - 1] for chosen in state.chosen) if state.chosen[0] else "start"


def read(rules, state, text):
    words = text.split()
    if words != ["start"]:
        if len(words) != 2 or set(words) - set(NAMES):
            raise RamifyError("expected start or two moves, e.g. rock paper")
        state.chosen[:] = [NAMES.index(word) + 1 for word in words]


def draw(rules, state):
    return write(rules, state)
