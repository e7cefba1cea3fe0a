"""The moves of a simulation, as passed to the tables of playout policies: all players' moves, root to end."""

import numpy as np

from ramify.core.search.episode import MAX_DEPTH, MAX_TRACE

MAX_SEQUENCE = MAX_DEPTH + MAX_TRACE

MOVE_SEQUENCE = np.dtype(
    [
        # Read by the tables.
        ("moves", np.int64),  # address
        ("length", np.int64),
        ("scores", np.int64),  # address: one per player, before or after the reward, as the table learns
        ("classes", np.int64),
        # Used to build it.
        ("class_of", np.int64),  # the column of classes; 0: a move is its own class
        ("classify", np.int64),  # the game's kernel (rules, state, moves, count, out)
        ("tables", np.int64),  # address of LEARNING_TABLE records
        ("count", np.int64),  # of tables
        ("out_of_range", np.int64),  # 1 + a move of the tree whose class is not below `classes`; 0: none
    ]
)

LEARNING_TABLE = np.dtype(
    [
        ("kernel", np.int64),  # (block, sequence)
        ("block", np.int64),
        ("scores", np.int64),  # address of the scores that it learns; 0: the simulation's, after the reward
    ]
)
LEARNING_TABLE_BYTES = LEARNING_TABLE.itemsize
