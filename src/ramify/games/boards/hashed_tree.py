"""Artificial game trees that are not stored: a node is a hash of a seed and of the moves that lead to it.

Whatever a tree needs at a node, it draws from that word, so trees of any size fit, and two of one seed are the same.
"""

import numpy as np

from ramify.core.numbers.rng import mix
from ramify.errors import RamifyError

MOST_DEPTH = 120
MOST_CHOICES = 250

# What the rules and the state of such a game begin with.
RULES = [("branching", np.int64), ("depth", np.int64), ("root", np.uint64)]  # root: the hash of the root
STATE = [("node", np.uint64), ("made", np.int64), ("path", np.uint8, (MOST_DEPTH,))]  # moves made: how many, and which

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)


def plant(rules, game, branching, depth, seed):
    """Fill in the rules."""
    if not 1 <= branching <= MOST_CHOICES or not 1 <= depth <= MOST_DEPTH:
        raise RamifyError(
            f"{game} needs a branching from 1 to {MOST_CHOICES} and a depth from 1 to {MOST_DEPTH}, not {branching} and"
            f" {depth}"
        )
    if not 0 <= seed < 2**63:
        raise RamifyError(f"{game} needs a seed from 0 to 2^63 - 1, not {seed}")
    rules.branching, rules.depth = branching, depth
    with np.errstate(over="ignore"):
        rules.root = mix(np.uint64(seed) + _GOLDEN)


def child(node, move):
    """The hash of a child."""
    return mix(node + np.uint64(move + 1) * _GOLDEN)


def high(node, n):
    """A whole number from 0 to n-1 from the upper half of a hash."""
    return np.int64(((node >> _32) * np.uint64(n)) >> _32)


def low(node, n):
    """Another one, from its lower half."""
    return np.int64(((node & _LOW) * np.uint64(n)) >> _32)


def write_path(state):
    """The moves made as text, for people."""
    return ",".join(str(move) for move in state.path[: state.made]) or "root"


def read_path(rules, text):
    """The moves of such a text."""
    words = [] if text.strip() == "root" else [word.strip() for word in text.split(",")]
    known = {str(move): move for move in range(rules.branching)}
    if len(words) > rules.depth or not all(word in known for word in words):
        raise RamifyError(
            f"give up to {rules.depth} moves from 0 to {rules.branching - 1}, separated by commas, or root for none"
        )
    return [known[word] for word in words]
