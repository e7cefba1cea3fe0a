"""P-game trees, as in the first paper on UCT: every move has a random value, and the sum decides. Artificial.

A game has ``depth`` moves with ``branching`` choices each. The value of a move is a uniform independent integer, from 0
to ``most`` for the first player and from -``most`` to 0 for the second. The first player wins if the sum over the moves
is positive, the second if it is negative; 0 is a draw. Used by L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo
planning", ECML 2006, section 4.1, with most = 127, up to 20 moves of 2 choices and up to 8 moves of 8; after S. Smith
and D. Nau, "An analysis of forward pruning", AAAI 1994. D. Tom's thesis, University of Alberta 2010, section 4.1,
compares them with other trees. Computing true values takes a search of the whole tree.

Values are derived from a hash of ``seed`` and the moves so far: see ``hashed_tree``. Of two trees that differ only in
depth, the smaller is the top of the larger. Playouts are uniform.

Moves are named by number, from 0. Position text: the moves made, separated by commas, or ``root``.
"""

import numpy as np

from ramify.errors import RamifyError
from ramify.games.boards import hashed_tree
from ramify.games.boards.hashed_tree import high
from ramify.games.boards.two_player_scores import by_lead

PLAYERS = 2

Rules = np.dtype([*hashed_tree.RULES, ("most", np.int64)])
State = np.dtype([*hashed_tree.STATE, ("total", np.int64)])  # total: sum of the values so far


def configure(rules, branching=2, depth=20, seed=1, most=127):
    hashed_tree.configure_tree(rules, "p_game", branching, depth, seed)
    if not 1 <= most <= 10**6:
        raise RamifyError(f"invalid most={most} for p_game: use 1 to {10**6}")
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
    hashed_tree.set_root(rules, state)
    state.total = 0


def value_of(rules, node, move, after):
    """Return the value of the move to the node ``after`` for the player who makes it."""
    return high(after, rules.most + 1)


def play(rules, state, move):
    state.total += hashed_tree.make_move(rules, state, move, value_of)


def playout(rules, state, rng):
    plies, total = hashed_tree.play_out(rules, state, rng, value_of)
    state.total += total
    return plies


def margin(rules, state):
    return float(state.total)


def margins(rules):
    depth, most = int(rules.depth), int(rules.most)
    return -most * (depth // 2), most * ((depth + 1) // 2)


def scores(rules, state, out):
    by_lead(state.total, out)


def read(rules, state, text):
    start(rules, state)
    hashed_tree.replay(rules, state, text, play)


def draw(rules, state):
    return f"after {write(rules, state)}: {state.made} of {rules.depth} moves, sum {state.total}"
