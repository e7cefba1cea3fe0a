"""What backups that replace means are made of.

A node's total is the sum of rewards of the player who moved there (below chance: of the first player), its *holder*. In
games of one player, or of two whose scores add up to 1, that says what every player has.
"""

import numpy as np

from ramify.contract.game import Game
from ramify.core.kernels.compiling import jit
from ramify.core.search.tree import node_at
from ramify.errors import RamifyError


def check_one_score(game: Game, backup: str) -> None:
    """Reject games where the score of one player does not give those of all."""
    if game.players > 1 and not (game.players == 2 and game.constant_sum):
        raise RamifyError(
            f"backup={backup} is for games of one player, or of two whose scores add up to 1, and {game.name} is"
            " neither; use backup=mean"
        )


@jit
def holder_of(parent):
    """Whose rewards the totals of a node's children are."""
    return max(np.int64(parent.mover), 0)


@jit
def seen_by(value, holder, player):
    """A player's value as another one has it."""
    return value if holder == player else 1.0 - value


@jit
def children_of(node):
    """How many children a node has, those that policies do not see included."""
    return np.int64(node.live) + np.int64(node.hidden) if node.first >= 0 else np.int64(0)


@jit
def child_at(nodes, node, k):
    """A child of a node."""
    return node_at(nodes, np.int64(node.first) + k)
