"""Artificial trees a second time: hashes in plain whole numbers, and true values by trying everything."""

import ramify

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(word):
    """The finalizer of SplitMix64."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def root(seed):
    return mix(seed + GOLDEN & WORD)


def child(node, move):
    return mix(node + (move + 1) * GOLDEN & WORD)


def high(node, n):
    """A number below n from the upper half of a hash."""
    return (node >> 32) * n >> 32


def low(node, n):
    """A number below n from its lower half."""
    return (node & 0xFFFFFFFF) * n >> 32


def played(state, move):
    """The state after a move, by its number, without a name."""
    return ramify.State(state.game, state.game.play(state.data, move))


def minimax(state, worth):
    """What is ``worth`` at the end, if both play best; the first player wants much, the second little."""
    if state.over:
        return worth(state)
    values = [minimax(played(state, move.code), worth) for move in state.moves()]
    return max(values) if state.to_move == 0 else min(values)
