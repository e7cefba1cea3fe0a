"""Helpers of backups that replace means.

A node's total is the sum of the rewards of its *holder*: the player who moved to it, or the first player below a chance
node. With one player, or two whose scores add up to 1, the holder's score determines every player's.
"""

import numpy as np

from ramify.contract.game import Game
from ramify.core.kernels.compiling import jit
from ramify.core.search.tree import node_at
from ramify.errors import RamifyError


def check_one_score(game: Game, backup: str) -> None:
    """Reject games in which one player's score does not determine the others'."""
    if game.players > 1 and not (game.players == 2 and game.constant_sum):
        raise RamifyError(
            f"backup={backup} needs one player, or two whose scores add up to 1, and {game.name} has neither:"
            " use backup=mean"
        )


@jit
def holder_of(parent):
    """Return the player whose rewards the totals of a node's children sum."""
    return max(np.int64(parent.mover), 0)


@jit
def seen_by(value, holder, player):
    """Convert the holder's value to ``player``'s."""
    return value if holder == player else 1.0 - value


@jit
def children_of(node):
    """Return the number of a node's children, including hidden ones."""
    return np.int64(node.live) + np.int64(node.hidden) if node.first >= 0 else np.int64(0)


@jit
def child_at(nodes, node, k):
    return node_at(nodes, np.int64(node.first) + k)
