"""What the kernels of ``core.engine.amaf`` are given: a record of addresses and numbers, and the head of a trace."""

import numpy as np

# The head of a trace; the moves made in the playout follow, each as player * classes + class.
MADE, CLASSES, ROOM = range(3)
HEAD = 3
MOST_TRACED = 1 << 14  # moves of a playout; later ones are not credited

# Error models (``distort``).
NONE, INDISCRIMINATE, LOWER, RAISE = range(4)

AMAF = np.dtype(
    [
        # Addresses of the search's own memory.
        ("rules", np.int64),
        ("state", np.int64),
        ("nodes", np.int64),
        ("path", np.int64),
        ("moves", np.int64),
        ("scores", np.int64),
        ("rng", np.int64),
        # The game: kernels (rules, state, out) and (rules, state, moves, count, out).
        ("owners", np.int64),  # 0: there is a trace
        ("classify", np.int64),  # 0: a move is its own class
        ("players", np.int64),
        ("classes", np.int64),
        # What was made in this simulation.
        ("owned", np.int64),  # by class: who made such a move, as `owners` wrote it
        ("shares", np.int64),  # by player and class: 1 where the player made such a move
        ("tape", np.int64),
        ("latest", np.int64),  # by player and class: `began` plus the ply of such a move, of those noted the earliest
        ("seen", np.int64),  # the players and classes noted
        ("noted", np.int64),  # how many
        ("began", np.int64),  # larger than any number in `latest` that an earlier simulation left
        # Columns over all nodes.
        ("class_of", np.int64),
        ("counts", np.int64),  # S
        ("totals", np.int64),  # R
        ("table_of", np.int64),  # the number of a node's table, from 1
        # What is kept.
        ("columns", np.int64),  # whether S and R of the children of every node are (RAVE)
        ("tables", np.int64),  # address of the tables (GRAVE); 0: there are none
        ("used", np.int64),  # tables in use
        ("room", np.int64),  # tables there is room for
        ("most", np.int64),  # tables there may ever be; without more the search goes on
        ("ref", np.int64),
        ("source", np.int64),  # the table that the children below are given their sums from
        ("weighted", np.int64),  # whether an early move counts more, up to twice
        ("strange", np.int64),  # 1 + a move whose class is not below `classes`; 0: there was none
        # The error model, and what moves are credited with: a number for each player, then for each player's target.
        ("errors", np.int64),
        ("target", np.int64),  # a class, or -1
        ("shared", np.int64),
        ("mu", np.float64),
        ("values", np.int64),
    ]
)
