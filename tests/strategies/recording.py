"""Records what a reward is handed and what it makes of it, in a search that goes on as it would."""

from functools import cache

import numpy as np

import ramify
from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import address, array, call, copy_bytes, record
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import BoundKernel

RECORDER = np.dtype(
    [
        ("players", np.int64),
        ("kernel", np.int64),  # of the reward
        ("block", np.int64),
        ("quality", np.int64),
        ("rows", np.int64),  # address: cut, length, quality, scores before and after
        ("width", np.int64),
        ("made", np.int64),
    ]
)


def record_simulation(block_, episode_):
    block = record(block_, RECORDER)
    episode = record(episode_, EPISODE)
    at = block.rows + 8 * block.width * block.made
    row = array(at, block.width, np.float64)
    row[0] = episode.cut
    row[1] = episode.depth + episode.plies
    if block.quality and not episode.cut:
        call(block.quality, (episode.rules, episode.state, at + 16))
    copy_bytes(at + 24, episode.scores, 8 * block.players)
    if block.kernel:
        call(block.kernel, (block.block, episode_))
    copy_bytes(at + 24 + 8 * block.players, episode.scores, 8 * block.players)
    block.made += 1
    return 0


@cache
def recorder():
    return kernel(record_simulation)


class Recording:
    """A search whose simulations are written down; ``simulations`` is the most there is room for."""

    def __init__(self, game, agent, simulations, seed=1, state=None):
        game = ramify.load(game) if isinstance(game, str) else game
        self.search = ramify.Search(state or game.initial(), agent, seed=seed)
        self.worker = self.search.workers[0]
        self.players = game.players
        self.rows = np.zeros((simulations, 3 + 2 * self.players))
        quality = game.kernel("quality")
        reward = self.worker.runner.plan.reward
        self.block = np.array(
            [
                (
                    self.players,
                    reward.kernel,
                    reward.block,
                    quality.address if quality else 0,
                    address(self.rows),
                    self.rows.shape[1],
                    0,
                )
            ],
            RECORDER,
        )
        runner = self.worker.runner
        runner.plan = runner.plan._replace(reward=BoundKernel(recorder().address, address(self.block)))

    def run(self, **budget):
        """Search; the rows of this run."""
        self.block["made"] = 0
        self.search.run(ramify.Budget(**budget))
        return self.taken()

    def taken(self):
        return self.rows[: int(self.block["made"][0])].copy()

    def column(self, name):
        rows = self.taken()
        if name in ("before", "after"):
            start = 3 if name == "before" else 3 + self.players
            return rows[:, start : start + self.players]
        return rows[:, ("cut", "length", "quality").index(name)]

    def changed(self):
        """Which simulations the reward has changed."""
        return (self.column("before") != self.column("after")).any(axis=1)
