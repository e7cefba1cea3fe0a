"""One simulation as the tables of a playout see it: every move of a player from the root to the end."""

import numpy as np

from ramify.core.search.episode import MAX_DEPTH, MAX_TRACE

MAX_SEQUENCE = MAX_DEPTH + MAX_TRACE

MOVE_SEQUENCE = np.dtype(
    [
        # What the tables see.
        ("moves", np.int64),  # address
        ("length", np.int64),
        ("scores", np.int64),  # address; of each player
        ("classes", np.int64),
        # What it is made from.
        ("class_of", np.int64),  # the column of classes; 0: a move is its own class
        ("classify", np.int64),  # the game's kernel (rules, state, moves, count, out)
        ("tables", np.int64),  # address of their CALLEE records
        ("count", np.int64),  # how many
        ("out_of_range", np.int64),  # 1 + a move of the tree whose class is not below `classes`; 0: there was none
    ]
)
