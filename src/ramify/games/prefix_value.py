"""Prefix value trees: every position's true value is known without search, however large the tree. Artificial.

A game has ``depth`` moves with ``branching`` choices each. The minimax value of the root, for the first player, is
``root``. In every position one move, drawn uniformly, is best and keeps the value; every other move costs the player
who makes it a uniform integer from ``least`` to ``most``. So the value of a position is that of the root minus the
first player's costs so far plus the second player's; by construction this is its minimax value. At the end the first
player wins if the value is positive, the second if it is negative; 0 is a draw. The model is that of T. Furtak and M.
Buro, "Minimum proof graphs and fastest-cut-first search heuristics", IJCAI 2009; D. Tom's thesis, University of Alberta
2010, section 4.1, describes it. The default (root 1, costs 2) has neither draws nor second-best moves. It is the tree
of R. Ramanujan's thesis (Cornell University 2012, section 5.3) in other units: there costs are 1 and a value of 0
loses.

Costs are derived from a hash of ``seed`` and the moves so far: see ``hashed_tree``. Playouts are uniform.

Moves are named by number, from 0. Position text: the moves made, separated by commas, or ``root``.
"""

import numpy as np

from ramify.errors import RamifyError
from ramify.games.boards import hashed_tree
from ramify.games.boards.hashed_tree import high, low
from ramify.games.boards.two_player_scores import by_lead

PLAYERS = 2
MAX_COST = 10**6

Rules = np.dtype([*hashed_tree.RULES, ("value", np.int64), ("least", np.int64), ("most", np.int64)])
State = np.dtype([*hashed_tree.STATE, ("value", np.int64)])  # value for the first player


def configure(rules, branching=2, depth=20, seed=1, root=1, least=2, most=2):
    hashed_tree.configure_tree(rules, "prefix_value", branching, depth, seed)
    if not 0 <= least <= most <= MAX_COST:
        raise RamifyError(f"invalid least={least}, most={most} for prefix_value: use 0 <= least <= most <= {MAX_COST}")
    if not -MAX_COST <= root <= MAX_COST:
        raise RamifyError(f"invalid root={root} for prefix_value: use -{MAX_COST} to {MAX_COST}")
    rules.value, rules.least, rules.most = root, least, most


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
    state.value = rules.value


def best(rules, node):
    """Return the move that is best by construction; with least = 0 others may be equally good."""
    return high(node, rules.branching)


def cost(rules, node, move, after):
    """Return the cost of the move from ``node`` to ``after`` for the player who makes it."""
    return np.int64(move != best(rules, node)) * (rules.least + low(after, rules.most - rules.least + 1))


def play(rules, state, move):
    state.value -= hashed_tree.make_move(rules, state, move, cost)


def playout(rules, state, rng):
    plies, lost = hashed_tree.play_out(rules, state, rng, cost)
    state.value -= lost
    return plies


def margin(rules, state):
    return float(state.value)


def margins(rules):
    """Extremes: one player always pays ``most``, the other nothing."""
    depth, most, value = int(rules.depth), int(rules.most), int(rules.value)
    return value - most * ((depth + 1) // 2), value + most * (depth // 2)


def scores(rules, state, out):
    by_lead(state.value, out)


def read(rules, state, text):
    start(rules, state)
    hashed_tree.replay(rules, state, text, play)


def draw(rules, state):
    lines = [f"after {write(rules, state)}: {state.made} of {rules.depth} moves, value {state.value}"]
    return "\n".join([*lines, *([] if over(rules, state) else [f"the best move is {best(rules, state.node)}"])])
