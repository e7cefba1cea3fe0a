"""Rewards: what a finished simulation is worth to each player."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Game
from ramify.core.engine.rewards import score_bonus_kernel
from ramify.core.kernels.compiling import Kernel
from ramify.errors import RamifyError


@dataclass(frozen=True)
class Score:
    """The game's own result in [0, 1]: loss 0, draw 1/2, win 1."""

    def bind(self, game: Game) -> tuple[Kernel, npt.NDArray[np.float64]] | None:
        """The kernel that changes the scores, and its numbers; None: they stay."""
        del game
        return None


@dataclass(frozen=True)
class ScoreBonus:
    """Losses from 0 to gamma and wins from 1 - gamma to 1, linear in the game's margin (Fuego; Tom 2010, 5.5)."""

    gamma: float = 0.02

    def __post_init__(self) -> None:
        if not 0.0 <= self.gamma <= 0.5:
            raise RamifyError(f"'gamma' must be from 0 to 0.5, so that a win stays above a loss, not {self.gamma}")

    def bind(self, game: Game) -> tuple[Kernel, npt.NDArray[np.float64]] | None:
        """The kernel that changes the scores, and its numbers."""
        margin = game.margin_kernel()
        low, high = game.margins()
        if game.players != 2 or not low < 0.0 < high:
            raise RamifyError(f"score_bonus is for games of two players with margins on both sides, not {game.name}")
        return score_bonus_kernel(), np.array([self.gamma, low, high, margin.address, 0.0])


REWARDS = {"score": Score, "score_bonus": ScoreBonus}
