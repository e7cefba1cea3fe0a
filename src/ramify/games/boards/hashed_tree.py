"""Artificial game trees that are never stored: a node is the hash of a seed and the moves leading to it.

All values at a node are derived from this hash, so trees of any size fit, and equal seeds give equal trees.
Functions named like parts of the contract are used unchanged as parts of these games.
"""

import numpy as np

from ramify.core.numbers.rng import below, mix
from ramify.errors import RamifyError

MAX_DEPTH = 120
MAX_BRANCHING = 250

# Leading fields of the rules and states of these games.
RULES = [("branching", np.int64), ("depth", np.int64), ("root", np.uint64)]  # root: hash of the root
STATE = [
    ("node", np.uint64),
    ("made", np.int64),  # number of moves so far
    ("path", np.uint8, (MAX_DEPTH,)),  # the moves
]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)


def configure_tree(rules, game, branching, depth, seed):
    """Check the parameters and fill in ``RULES``."""
    if not 1 <= branching <= MAX_BRANCHING:
        raise RamifyError(f"invalid branching={branching} for {game}: use 1 to {MAX_BRANCHING}")
    if not 1 <= depth <= MAX_DEPTH:
        raise RamifyError(f"invalid depth={depth} for {game}: use 1 to {MAX_DEPTH}")
    if not 0 <= seed < 2**63:
        raise RamifyError(f"invalid seed={seed} for {game}: use 0 to 2^63 - 1")
    rules.branching, rules.depth = branching, depth
    with np.errstate(over="ignore"):
        rules.root = mix(np.uint64(seed) + _GOLDEN)


def child(node, move):
    return mix(node + np.uint64(move + 1) * _GOLDEN)


def high(node, n):
    """Map the upper half of a hash to an integer from 0 to n-1."""
    return np.int64(((node >> _32) * np.uint64(n)) >> _32)


def low(node, n):
    """Map the lower half of a hash to an integer from 0 to n-1."""
    return np.int64(((node & _LOW) * np.uint64(n)) >> _32)


def choices(rules):
    """Return the number of moves in every position, which is also the number of move classes."""
    return int(rules.branching)


def mover(rules, state):
    return state.made & 1


def over(rules, state):
    return state.made == rules.depth


def legal(rules, state, moves):
    for move in range(rules.branching):
        moves[move] = move
    return rules.branching


def sample(rules, state, rng):
    return below(rng, rules.branching)


def set_root(rules, state):
    """Set ``state`` to the root."""
    state.node = rules.root
    state.made = 0


def make_move(rules, state, move, number):
    """Make a move. Return its number, negated if the second player made it.

    ``number(rules, node, move, after)`` returns the game's number for the move from ``node`` to ``after``.
    """
    after = child(state.node, move)
    drawn = number(rules, state.node, move, after)
    signed = drawn if mover(rules, state) == 0 else -drawn
    state.node = after
    state.path[state.made] = move
    state.made += 1
    return signed


def play_out(rules, state, rng, number):
    """Play uniformly to the end. Return the number of plies and the sum of the signed numbers of the moves."""
    node, made, total = state.node, state.made, 0
    while made < rules.depth:
        move = below(rng, rules.branching)
        after = child(node, move)
        drawn = number(rules, node, move, after)
        total += drawn if made & 1 == 0 else -drawn
        node = after
        state.path[made] = move
        made += 1
    plies = made - state.made
    state.node, state.made = node, made
    return plies, total


def key(rules, state):
    return state.node


def move_name(rules, state, move):
    return str(move)


def write(rules, state):
    return ",".join(str(move) for move in state.path[: state.made]) or "root"


def replay(rules, state, text, play):
    """Play the moves of a text by ``write``, from the root, with the game's ``play``."""
    words = [] if text.strip() == "root" else [word.strip() for word in text.split(",")]
    known = {str(move): move for move in range(rules.branching)}
    if len(words) > rules.depth or not all(word in known for word in words):
        raise RamifyError(
            f"expected up to {rules.depth} moves from 0 to {rules.branching - 1}, separated by commas, or root"
        )
    with np.errstate(over="ignore"):
        for word in words:
            play(rules, state, known[word])
