"""Common part of ``relative_bonus`` and ``qualitative_bonus``: control variates. docs/rewards.md has the formulas."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from ramify.contract.game import Game, State
from ramify.errors import RamifyError
from ramify.strategies.base import BoundStrategy, Reward
from ramify.strategies.constants import ValueRange
from ramify.strategies.control_variates import BONUS, SUMS, bonuses_kernel
from ramify.strategies.reward.score import Score

Offset = Annotated[float, ValueRange(-math.inf)]
Weight = Annotated[float, ValueRange(0.0, 0.5, open=False)]  # at most 0.5, so that a win stays above a loss
MIN_SAMPLES = 50  # of a winner, in the paper's program
NO_BONUS = Score()


class ControlVariateBonus(Reward):
    """Base class of both bonuses. ``then`` chains them."""

    warm_up = 0.05
    k: float
    a: float
    online: bool
    wait_for_samples: bool
    signed: bool
    sign_error: bool
    then: Reward
    scale = 1.0  # of the quality; without effect on lengths
    offset = 0.0

    def __post_init__(self) -> None:
        if self.signed and not self.online:
            raise RamifyError("signed=true needs online=true")
        if not isinstance(self.then, ControlVariateBonus | Score):
            raise RamifyError(f"'then' must be relative_bonus or qualitative_bonus, not {self.then.title()}")

    def quality(self, game: Game) -> int:
        """Return the address of the game's quality kernel, or 0 if the measure is the length."""
        del game
        return 0

    def links(self) -> list[ControlVariateBonus]:
        """Return this bonus and those chained to it."""
        return [self, *(self.then.links() if isinstance(self.then, ControlVariateBonus) else [])]

    def bind(self, game: Game) -> BoundStrategy:
        links = self.links()
        block = np.zeros(len(links), BONUS)
        for row, link in zip(block, links, strict=True):
            for name in ("k", "a", "online", "signed", "sign_error", "scale", "offset"):
                row[name] = getattr(link, name)
            row["quality"] = link.quality(game)
            row["min_samples"] = MIN_SAMPLES if link.wait_for_samples else 0
        block["players"], block["links"] = game.players, len(links)
        return BoundStrategy(bonuses_kernel(), block)

    def on_new_root(self, block: npt.NDArray[Any], state: State, *, same_game: bool) -> None:
        """Clear all samples, except those for an ``a`` over the whole game."""
        block["winners"] = 0
        block["player"] = state.to_move
        for row, link in zip(block, self.links(), strict=True):
            row["applies"] = link.wait_for_samples and same_game
            row["earlier"] = len(state.history) if link.signed and link.needs_exact_length else 0
            for name in () if link.signed and same_game else SUMS:
                row[name] = 0

    def on_warm_up_end(self, block: npt.NDArray[Any]) -> None:
        """Apply bonuses from now on, except those that wait for samples."""
        block["applies"][[not link.wait_for_samples for link in self.links()]] = 1
