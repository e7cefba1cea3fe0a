"""Hooks that update the tables of learning playouts.

``learn_from_simulation`` is an ``on_simulation`` hook. It writes the simulation as a MOVE_SEQUENCE: every player's move
from the root to the end, as player * classes + class, without chance outcomes. Then it calls the *tables* of the
playout policies, kernels ``(block, sequence)``, each with the scores before or after the reward. ``classify`` is an
``on_expand`` hook that checks the classes of tree moves, and keeps them in a column if the game has its own classes.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.playouts.context import NO_MOVE, made_at
from ramify.core.playouts.move_sequence import LEARNING_TABLE, LEARNING_TABLE_BYTES, MAX_SEQUENCE, MOVE_SEQUENCE
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import DONE


def learn_from_simulation(block_, episode_):
    line = record(block_, MOVE_SEQUENCE)
    episode = record(episode_, EPISODE)
    path = array(episode.path, episode.depth + 1, np.int64)
    moves = array(line.moves, MAX_SEQUENCE, np.int64)
    trace = array(episode.trace, episode.trace_length, np.int64)
    length = 0
    if line.out_of_range:
        return DONE
    for level in range(episode.depth):
        made = made_at(episode.nodes, path, level, line.class_of, line.classes)
        if made != NO_MOVE:
            moves[length] = made
            length += 1
    for ply in range(episode.trace_length):
        moves[length] = trace[ply]
        length += 1
    line.length = length
    for k in range(line.count):
        table = record(line.tables + k * LEARNING_TABLE_BYTES, LEARNING_TABLE)
        line.scores = table.scores if table.scores else episode.scores
        call(table.kernel, (table.block, block_))
    return DONE


def classify(block_, episode_, first, count):
    """Write and check the classes of new children. Their moves are in ``episode.moves``."""
    line = record(block_, MOVE_SEQUENCE)
    episode = record(episode_, EPISODE)
    moves = array(episode.moves, count, np.int64)
    move_classes = moves
    if line.class_of:
        call(line.classify, (episode.rules, episode.state, episode.moves, count, line.class_of + 8 * first))
        move_classes = array(line.class_of + 8 * first, count, np.int64)
    for k in range(count):
        if move_classes[k] < 0 or move_classes[k] >= line.classes:
            line.out_of_range = moves[k] + 1
            if line.class_of:
                move_classes[k] = 0
    return 0


@cache
def learning_kernel():
    return kernel(learn_from_simulation)


@cache
def classify_kernel():
    return kernel(classify)
