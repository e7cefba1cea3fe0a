"""A backup that keeps the best result seen below a node, and a policy and a recommendation that read its columns."""

from dataclasses import dataclass
from functools import cache
from math import sqrt
from typing import ClassVar

import numpy as np

from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import array, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import DONE
from ramify.core.search.tree import MAX_PLAYERS, node_at
from ramify.strategies.base import Backup, BoundBackup, Recommendation, best

_BLOCK = np.dtype([("best", np.int64), ("listed", np.int64), ("added", np.int64)])


def best_mix(lnN, n, m, column_best, c=0.7, share=0.3):
    """``(1 - share) m + share best + c sqrt(ln N / n)``: ``best`` is the best result seen below the arm."""
    return (1.0 - share) * m + share * column_best + c * sqrt(lnN / n)


def _on_simulation(block_, episode_):
    block = record(block_, _BLOCK)
    episode = record(episode_, EPISODE)
    path = array(episode.path, episode.depth + 1, np.int64)
    scores = array(episode.scores, MAX_PLAYERS, np.float64)
    for level in range(1, episode.depth + 1):
        column = array(block.best + 8 * path[level], 1, np.float64)
        column[0] = max(column[0], scores[max(node_at(episode.nodes, path[level - 1]).mover, 0)])
    return DONE


def _on_expand(block_, episode_, first, count):
    block = record(block_, _BLOCK)
    block.added += count
    listed = array(block.listed + 8 * first, count, np.float64)
    for k in range(count):
        listed[k] = k
    return 0


@cache
def _kernels():
    return kernel(_on_simulation), kernel(_on_expand)


@dataclass(frozen=True)
class BestSeen(Backup):
    """Keeps the highest score of the player who moved to a node, and the move's index in the game's list."""

    columns = ("best", "listed")
    replaces_means: ClassVar[bool] = False

    def bind(self, game):
        on_simulation, on_expand = _kernels()
        return BoundBackup(np.zeros(1, _BLOCK), on_simulation, on_expand)


@dataclass(frozen=True)
class LastListed(Recommendation):
    """The move that the game lists last."""

    column: ClassVar[str] = "listed"

    def choose(self, visits, values, rng):
        return best(rng, values)
