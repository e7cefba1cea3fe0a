"""Counts the moves that a user's playout plays through the game's kernels, to check the length that it returns.

A kernel of a game gets no block, only the address of its rules. So every rules record is preceded by a counter.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import call, record

MOVE_COUNTER = np.dtype(
    [
        ("state", np.int64),  # address of the position that is played out
        ("played", np.int64),  # moves played in it
        ("tried", np.int64),  # moves played in other positions, e.g. copies of it
        # The game's kernels.
        ("play", np.int64),
        ("play_joint", np.int64),
        ("unused", np.int64),  # rules are aligned to 16 bytes
    ]
)
COUNTER_BYTES = MOVE_COUNTER.itemsize


def rules_record(dtype):
    """Return an array of one record of zeros, preceded by a MOVE_COUNTER."""
    return np.zeros(COUNTER_BYTES + dtype.itemsize, np.uint8)[COUNTER_BYTES:].view(dtype)


@jit
def counter_of(rules):
    return record(rules - COUNTER_BYTES, MOVE_COUNTER)


@jit
def count_move(counter, state):
    if state == counter.state:
        counter.played += 1
    else:
        counter.tried += 1


def play(rules, state, move):
    counter = counter_of(rules)
    count_move(counter, state)
    return call(counter.play, (rules, state, move))


def play_joint(rules, state, moves):
    counter = counter_of(rules)
    count_move(counter, state)
    return call(counter.play_joint, (rules, state, moves))


@cache
def counting_kernels():
    return kernel(play), kernel(play_joint)


def counting_table(table):
    """Return the table of a game with kernels that count. Its rules must be a ``rules_record`` that no one shares."""
    counter = counter_of(table.rules)
    counter.play, counter.play_joint = table.play, table.play_joint
    one, joint = counting_kernels()
    return table._replace(play=one.address if table.play else 0, play_joint=joint.address if table.play_joint else 0)
