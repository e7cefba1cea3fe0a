"""Prize boxes: four policies on boxes that always pay the same (section 6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ramify import bandits
from ramify.experiments.framework.work import Sums, Work
from ramify.runs.seeds import derive

UCB1, HALVING, SQRT, SQRT_HALVING = "ucb1", "sequential halving", "ucb_sqrt", "uct_sqrt_sh"
NAMES = (UCB1, HALVING, SQRT, SQRT_HALVING)
BOXES = 30


@dataclass(frozen=True)
class Constants:
    """One reading of the paper's constants, for rewards in [-1, 1]: ``m + c sqrt(2 ln N / n)``."""

    stored_form: ClassVar[str] = "Constants(name, c, sqrt_halving)"

    name: str
    c: float
    sqrt_halving: str  # the allocation; the readings also differ in its number of rounds

    @property
    def selections(self) -> dict[str, str]:
        """The two selection policies. They see rewards in [0, 1], so the constants are halved."""
        return {UCB1: f"ucb1(c={self.c / math.sqrt(2)!r})", SQRT: f"ucb_sqrt(c={self.c / 2!r})"}

    def pulled(self, bandit: bandits.Bandit, pulls: int, seed: int) -> dict[str, Any]:
        """Run every policy. Return its pulls of each box."""
        found = {
            name: bandits.run(bandit, policy, pulls=pulls, seed=seed, times=[pulls])
            for name, policy in self.selections.items()
        }
        found[HALVING] = bandits.spend(bandit, "sequential_halving", pulls=pulls, seed=seed)
        found[SQRT_HALVING] = bandits.spend(
            bandit, self.sqrt_halving, pulls=pulls, seed=seed, select_root=self.selections[SQRT]
        )
        return {name: found[name].pulls[0] for name in NAMES}


# The paper prints 2 C sqrt(2 ln N / n) with C = 1 / sqrt 2; the program behind its results has 0.7 sqrt(2 ln N / n).
READINGS = (
    Constants("program", 0.7, "uct_sqrt_sh(as_published=true)"),
    Constants("print", math.sqrt(2), "uct_sqrt_sh"),
)
SCENARIOS = {"low": (0.3, 0.05, -0.5, 0.5), "high": (0.3, 0.5, -1.0, 1.0)}  # prizes: mean, deviation, minimum, maximum


@dataclass(frozen=True)
class ThirtyBoxes(Work):
    """A trial draws new prizes and runs all policies on them.

    Sums, by policy: ``pulls`` of each box from the lowest prize up, ``boxes`` (exponential of the entropy of the shares
    of pulls), ``best`` (share of the best box), ``others`` (as ``boxes``, without the best box), ``reward`` per pull.
    """

    stored_form = "ThirtyBoxes(prizes, reading, pulls)"

    prizes: tuple[float, float, float, float]
    reading: Constants
    pulls: int

    def run(self, seed: int, first: int, count: int) -> Sums:
        total: dict[str, dict[str, Any]] = {}
        for trial in range(first, first + count):
            prizes = bandits.random_boxes(BOXES, *self.prizes, seed=derive(seed, trial))
            bandit = bandits.boxes(list(prizes.means))  # policies see [-1, 1] mapped to [0, 1] in both scenarios
            for name, pulled in self.reading.pulled(bandit, self.pulls, derive(seed, trial, "luck")).items():
                kept = total.setdefault(name, {"pulls": [0] * BOXES, **dict.fromkeys(("boxes", "others"), 0.0)})
                kept["pulls"] = [a + int(b) for a, b in zip(kept["pulls"], pulled, strict=True)]
                shares = pulled / pulled.sum()
                for key, value in (
                    ("boxes", mixture(shares)),
                    ("others", mixture(shares[:-1] / max(shares[:-1].sum(), 1e-12))),
                    ("best", float(shares[-1])),
                    ("reward", float(shares @ bandit.means)),
                ):
                    kept[key] = kept.get(key, 0.0) + value
        return total


@dataclass(frozen=True)
class TwoBoxes(Work):
    """A trial is 2000 pulls of boxes that pay -1 and 1. Sums: ``pulls`` of both boxes, by policy."""

    stored_form = "TwoBoxes(reading, pulls)"

    reading: Constants
    pulls: int = 2000

    def run(self, seed: int, first: int, count: int) -> Sums:
        bandit = bandits.boxes([-1.0, 1.0])
        rows = [self.reading.pulled(bandit, self.pulls, derive(seed, trial)) for trial in range(first, first + count)]
        return {name: np.sum([row[name] for row in rows], axis=0).tolist() for name in (UCB1, HALVING)}


def mixture(shares: Any) -> float:
    """Return the exponential of the entropy: the number of equal shares with the same entropy."""
    present = shares[shares > 0]
    return float(np.exp(-(present * np.log(present)).sum()))
