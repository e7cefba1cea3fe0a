"""Artificial game trees that are not stored: a node is a hash of a seed and of the moves that lead to it.

Whatever a tree needs at a node, it draws from that word, so trees of any size fit, and two of one seed are the same.
The parts of the contract that all such games share have its names.
"""

import numpy as np

from ramify.core.numbers.rng import below, mix
from ramify.errors import RamifyError

MAX_DEPTH = 120
MAX_BRANCHING = 250

# What the rules and the state of such a game begin with.
RULES = [("branching", np.int64), ("depth", np.int64), ("root", np.uint64)]  # root: the hash of the root
STATE = [("node", np.uint64), ("made", np.int64), ("path", np.uint8, (MAX_DEPTH,))]  # moves made: how many, and which

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)


def configure_tree(rules, game, branching, depth, seed):
    """Fill in the rules."""
    if not 1 <= branching <= MAX_BRANCHING or not 1 <= depth <= MAX_DEPTH:
        raise RamifyError(
            f"{game} needs a branching from 1 to {MAX_BRANCHING} and a depth from 1 to {MAX_DEPTH}, not {branching} and"
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


def choices(rules):
    """How many moves there are everywhere, so classes of moves."""
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


def begin(rules, state):
    """Make it the root."""
    state.node = rules.root
    state.made = 0


def make_move(rules, state, move, number):
    """Make a move; return its number, negative if the second player makes it.

    ``number(rules, node, move, after)`` is what the game's rules give a move that leads from one node to another.
    """
    after = child(state.node, move)
    drawn = number(rules, state.node, move, after)
    signed = drawn if mover(rules, state) == 0 else -drawn
    state.node = after
    state.path[state.made] = move
    state.made += 1
    return signed


def play_out(rules, state, rng, number):
    """Make uniform moves to the end, in local variables; return how many, and the sum of what ``make_move`` returns."""
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


def walk(rules, state, text, play):
    """Make the moves that ``write`` has written, from the root on, with the game's own ``play``."""
    words = [] if text.strip() == "root" else [word.strip() for word in text.split(",")]
    known = {str(move): move for move in range(rules.branching)}
    if len(words) > rules.depth or not all(word in known for word in words):
        raise RamifyError(
            f"give up to {rules.depth} moves from 0 to {rules.branching - 1}, separated by commas, or root for none"
        )
    with np.errstate(over="ignore"):
        for word in words:
            play(rules, state, known[word])
