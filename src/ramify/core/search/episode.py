"""What one simulation leaves behind: the record that playouts, rewards and hooks are handed.

Addresses of the search's own memory stand in it, so that a kernel needs nothing but its own block and the episode.
"""

import numpy as np

from ramify.core.kernels.pointers import address

MAX_DEPTH = 4096  # a path longer than this is played out from there
MAX_TRACE = 1 << 14  # moves of a playout; later ones are not written down

EPISODE = np.dtype(
    [
        # Where everything is.
        ("rules", np.int64),
        ("nodes", np.int64),  # the tree
        ("state", np.int64),  # where the simulation is: at its end, once it has been played out
        ("moves", np.int64),  # a buffer for the moves of one position; of fresh children their moves
        ("rng", np.int64),
        ("path", np.int64),  # numbers of the nodes gone through, the root first
        ("scores", np.int64),  # of each player, as changed by the reward
        ("trace", np.int64),  # where a playout that is asked to writes its moves, each as player * classes + class
        # What a playout is told.
        ("limit", np.int64),  # plies after which it is cut
        ("classes", np.int64),  # of moves; others are not traced
        ("player", np.int64),  # who searches, and so draws first where everybody moves at once
        (
            "transpositions",
            np.int64,
        ),  # whether the record before the children of a node is their position (transpositions)
        # What happened.
        ("number", np.int64),  # of the simulation in this run, from 0
        ("depth", np.int64),  # moves made in the tree: the path has one node more
        ("plies", np.int64),  # moves made in the playout
        ("trace_length", np.int64),  # how many of them were traced
        ("cut", np.int64),  # whether the limit ended the playout
        (
            "first_chosen_level",
            np.int64,
        ),  # the level of the path from which on policies chose; what is above was given (SHOT)
    ]
)


def episode_of(moves, rng, limit):
    """An episode of nothing but a playout: a buffer for moves, a generator and a limit of plies."""
    episode = np.zeros(1, EPISODE)
    episode["moves"], episode["rng"], episode["limit"] = address(moves), address(rng), limit
    return episode
