"""Means mixed with minimax values of the game's evaluation."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ramify.contract.game import MOVE_BUFFER_SLACK, Game
from ramify.core.kernels.compiling import Kernel, jit, kernel
from ramify.core.kernels.pointers import address, array, call, copy_bytes, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import DONE
from ramify.core.search.tree import MAX_PLAYERS, TERMINAL, node_at
from ramify.errors import RamifyError
from ramify.strategies.base import Backup, BoundBackup
from ramify.strategies.constants import Probability
from ramify.strategies.node_values import check_one_score, children_of, holder_of, seen_by

BLOCK = np.dtype(
    [
        ("alpha", np.float64),
        # Kernels of the game.
        ("evaluate", np.int64),
        ("legal", np.int64),
        ("play", np.int64),
        ("mover", np.int64),
        ("result", np.int64),
        ("copy", np.int64),  # 0: copy the bytes
        ("state_bytes", np.int64),
        # Buffers for a child's position.
        ("state", np.int64),
        ("moves", np.int64),
        ("scores", np.int64),
        # Columns.
        ("sums", np.int64),
        ("minimax", np.int64),
    ]
)


def evaluate_children(block_: int, episode_: int, first: int, count: int) -> int:
    """Evaluate the positions of new children, from the point of view of the player who moves to them."""
    block = record(block_, BLOCK)
    episode = record(episode_, EPISODE)
    moves = array(episode.moves, count, np.int64)
    minimax = array(block.minimax + 8 * first, count, np.float64)
    player = max(call(block.mover, (episode.rules, episode.state)), 0)
    for k in range(count):
        if block.copy:
            call(block.copy, (block.state, episode.state))
        else:
            copy_bytes(block.state, episode.state, block.state_bytes)
        call(block.play, (episode.rules, block.state, moves[k]))
        ongoing = call(block.legal, (episode.rules, block.state, block.moves)) > 0
        call(block.evaluate if ongoing else block.result, (episode.rules, block.state, block.scores))
        minimax[k] = array(block.scores, MAX_PLAYERS, np.float64)[player]
    return 0


@jit
def best(block, node):
    """Return the highest minimax value of a node's children."""
    count = children_of(node)
    minimax = array(block.minimax + 8 * np.int64(node.first), count, np.float64)
    found = minimax[0]
    for k in range(1, count):
        found = max(found, minimax[k])
    return found


def back_up(block_: int, episode_: int) -> int:
    """Sum the rewards, back up the minimax values, and mix the two along the path."""
    block = record(block_, BLOCK)
    episode = record(episode_, EPISODE)
    path = array(episode.path, episode.depth + 1, np.int64)
    scores = array(episode.scores, MAX_PLAYERS, np.float64)
    for level in range(episode.depth, 0, -1):
        node = node_at(episode.nodes, path[level])
        holder = holder_of(node_at(episode.nodes, path[level - 1]))
        sums = array(block.sums + 8 * path[level], 1, np.float64)
        minimax = array(block.minimax + 8 * path[level], 1, np.float64)
        sums[0] += scores[holder]
        if node.first >= 0:
            minimax[0] = seen_by(best(block, node), holder, holder_of(node))
        elif node.first == TERMINAL:
            minimax[0] = scores[holder]
        node.total = (1.0 - block.alpha) * sums[0] + block.alpha * node.visits * minimax[0]
    return DONE


@cache
def compiled() -> tuple[Kernel, Kernel]:
    return kernel(evaluate_children), kernel(back_up)


@dataclass(frozen=True)
class ImplicitMinimax(Backup):
    """(1 - alpha) mean + alpha v, where v is the minimax value of the game's ``evaluate``: Lanctot et al. 2014.

    Every new child is evaluated, and the evaluations are backed up by minimax. alpha = 0 is the mean.
    """

    needs = ("evaluate",)
    columns = ("sums", "minimax")
    alpha: Probability = 0.4

    def bind(self, game: Game) -> BoundBackup:
        check_one_score(game, self.title())
        if game.has_chance:
            raise RamifyError(f"backup={self.title()} does not support chance, which {game.name} has: use backup=mean")
        evaluate, table = game.kernel("evaluate"), game.table()
        on_expand, on_simulation = compiled()
        state, moves = np.zeros(game.state_bytes, np.uint8), np.zeros(game.max_children + MOVE_BUFFER_SLACK, np.int64)
        scores = np.zeros(game.players)
        block = np.zeros(1, BLOCK)
        numbers = {
            "alpha": self.alpha,
            "evaluate": evaluate.address if evaluate else 0,
            **{name: getattr(table, name) for name in ("legal", "play", "mover", "copy", "state_bytes")},
            "result": table.scores,
            "state": address(state),
            "moves": address(moves),
            "scores": address(scores),
        }
        for name, number in numbers.items():
            block[name] = number
        return BoundBackup(block, on_simulation, on_expand, (evaluate, state, moves, scores))
