"""Memory of ``core.playouts.average_table``: mean results of moves by player and class, or of pairs of moves."""

from __future__ import annotations

from math import exp

import numpy as np

from ramify.core.kernels.pointers import address
from ramify.core.playouts.average_table import AVERAGES, decay_kernel, learning_kernel
from ramify.errors import RamifyError
from ramify.old_names import old_attributes
from ramify.strategies.base import LearnedTable
from ramify.strategies.policy_playout import record_of

DEFAULT_EPSILON = 0.4  # epsilon of MAST in C. Sironi's GGP-Project (2021)
LEARN = ("result", "reward")  # the game's scores, or what the agent's reward made of them
MIN_TEMPERATURE = 0.01  # exp(-1 / 0.01) is far from underflow


class AverageTable(LearnedTable):
    """Counts, sums, means and, for Gibbs sampling, weights."""

    def __init__(
        self,
        entries: int,
        start: float,
        decay: float,
        *,
        epsilon: float = 0.0,
        temperature: float = 0.0,
        least: float = 0.0,
        learn: str = "reward",
    ) -> None:
        self.learns_result = learn == "result"
        self.learn, self._decay = learning_kernel(), decay_kernel()
        self.sums = np.zeros((entries, 2))
        self.means = np.full(entries, start)
        self.weights = np.full(entries, exp((start - 1.0) / temperature)) if temperature else np.zeros(0)
        self._seen = np.zeros(entries, np.int64)
        settings = {"epsilon": epsilon, "temperature": temperature, "start": start, "min_count": least, "decay": decay}
        self.block = record_of(
            AVERAGES,
            **settings,
            sums=address(self.sums),
            means=address(self.means),
            weights=address(self.weights) if temperature else 0,
            entries=entries,
            seen=address(self._seen),
        )

    def clear(self) -> None:
        """Decay with a factor of 0, which only touches the entries in use."""
        decay = self.block["decay"][0]
        self.block["decay"] = 0.0
        self.decay()
        self.block["decay"] = decay

    def decay(self) -> None:
        self._decay(address(self.block), 0)

    @property
    def nbytes(self) -> int:
        return sum(one.nbytes for one in (self.sums, self.means, self.weights, self._seen))


def check_learn(learn: str) -> None:
    if learn not in LEARN:
        raise RamifyError(f"'learn' must be {' or '.join(LEARN)}, not '{learn}'")


def check_sampling(epsilon: float, temperature: float) -> None:
    """Reject 'epsilon' together with 'temperature', and temperatures so low that all weights underflow to 0."""
    if temperature and epsilon != DEFAULT_EPSILON:
        raise RamifyError("use 'epsilon' (mostly the best move) or 'temperature' (Gibbs sampling), not both")
    if 0.0 < temperature < MIN_TEMPERATURE:
        raise RamifyError(
            f"'temperature' must be at least {MIN_TEMPERATURE}, or 0 for epsilon-greedy, not {temperature}"
        )


__getattr__ = old_attributes(__name__)
