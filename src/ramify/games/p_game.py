"""P-game trees, as in the first paper on UCT: every move is worth a random number, and the sum decides. Artificial.

A game has ``depth`` moves, each with ``branching`` choices. A move of the first player is worth a whole number from 0
to ``most``, one of the second player from -``most`` to 0, all equally likely and independent. The first player wins
where the sum over the moves made is positive, the second where it is negative; 0 is a draw. So L. Kocsis and
C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006, section 4.1, with most = 127, with 2 choices and up to 20
moves and with 8 and up to 8; after S. Smith and D. Nau, "An analysis of forward pruning", AAAI 1994. D. Tom's thesis,
University of Alberta 2010, section 4.1, compares it with others. Its true values take a search of the whole tree.

The number of a move is drawn from a hash of ``seed`` and of the moves up to it: see ``hashed_tree``. Of two trees that
differ in depth alone, one is the top of the other.

Moves are named by their numbers from 0. Position text: the moves made, separated by commas, ``root`` for none.
"""

import numpy as np

from ramify.errors import RamifyError
from ramify.games.boards import hashed_tree
from ramify.games.boards.hashed_tree import high
from ramify.games.boards.two_player_scores import by_lead

PLAYERS = 2

Rules = np.dtype([*hashed_tree.RULES, ("most", np.int64)])
State = np.dtype([*hashed_tree.STATE, ("total", np.int64)])  # total: the sum so far


def configure(rules, branching=2, depth=20, seed=1, most=127):
    hashed_tree.configure_tree(rules, "p_game", branching, depth, seed)
    if not 1 <= most <= 10**6:
        raise RamifyError(f"p_game needs a most from 1 to a million, not {most}")
    rules.most = most


max_moves = move_classes = hashed_tree.choices
mover = hashed_tree.mover
over = hashed_tree.over
legal = hashed_tree.legal
sample = hashed_tree.sample
key = hashed_tree.key
move_name = hashed_tree.move_name
write = hashed_tree.write


def start(rules, state):
    hashed_tree.begin(rules, state)
    state.total = 0


def worth(rules, node, move, after):
    """What a move that leads to the node ``after`` brings the player who makes it."""
    return high(after, rules.most + 1)


def play(rules, state, move):
    state.total += hashed_tree.make_move(rules, state, move, worth)


def playout(rules, state, rng):
    plies, total = hashed_tree.play_out(rules, state, rng, worth)
    state.total += total
    return plies


def margin(rules, state):
    """The sum."""
    return float(state.total)


def margins(rules):
    depth, most = int(rules.depth), int(rules.most)
    return -most * (depth // 2), most * ((depth + 1) // 2)


def scores(rules, state, out):
    by_lead(state.total, out)


def read(rules, state, text):
    start(rules, state)
    hashed_tree.walk(rules, state, text, play)


def draw(rules, state):
    return f"after {write(rules, state)}: {state.made} of {rules.depth} moves, sum {state.total}"
