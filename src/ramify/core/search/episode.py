"""The episode: one record per simulation, passed to playouts, rewards and hooks.

It holds the addresses of the search's memory, so a kernel needs only its own block and the episode.
"""

import numpy as np

from ramify.core.kernels.pointers import address
from ramify.old_names import old_attributes

MAX_DEPTH = 4096  # longest path in the tree; the playout starts there
MAX_TRACE = 1 << 14  # traced moves per playout; later ones are not recorded

EPISODE = np.dtype(
    [
        # Addresses.
        ("rules", np.int64),
        ("nodes", np.int64),  # the tree
        ("state", np.int64),  # the current position; after the playout its end
        ("moves", np.int64),  # buffer for the moves of one position; in on_expand those of the new children
        ("rng", np.int64),
        ("path", np.int64),  # indices of the nodes of the path, root first
        ("scores", np.int64),  # one per player, after the reward
        ("trace", np.int64),  # moves of a traced playout, each as player * classes + class
        # Parameters of the playout.
        ("limit", np.int64),  # maximum number of plies
        ("classes", np.int64),  # number of move classes; moves outside are not traced
        ("player", np.int64),  # the searching player, who draws first at simultaneous moves
        ("transpositions", np.int64),  # whether a position record precedes each node's children
        # Results.
        ("number", np.int64),  # index of the simulation in this run
        ("depth", np.int64),  # moves in the tree; the path has depth + 1 nodes
        ("plies", np.int64),  # moves in the playout
        ("trace_length", np.int64),  # number of traced moves
        ("cut", np.int64),  # whether the ply limit ended the playout
        ("first_chosen_level", np.int64),  # first level of the path that a policy chose; SHOT sets those above
    ]
)


def episode_of(moves, rng, limit):
    """Return an episode for a playout alone: a move buffer, a generator and a ply limit."""
    episode = np.zeros(1, EPISODE)
    episode["moves"], episode["rng"], episode["limit"] = address(moves), address(rng), limit
    return episode


__getattr__ = old_attributes(__name__)
