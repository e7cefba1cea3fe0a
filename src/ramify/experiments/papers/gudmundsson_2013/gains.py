"""Gain of ST over UCT, per bandit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ramify.experiments.framework.estimates import Estimate, mean
from ramify.experiments.framework.experiment import Results
from ramify.experiments.framework.ratios import ratio
from ramify.experiments.papers.gudmundsson_2013.path_trials import POLICIES, PULLS, key

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Gains:
    """Results of one setting: one row per bandit, one column per checkpoint."""

    setting: tuple[int, float]
    checkpoints: Floats  # in pulls
    uct: Floats  # ratios of optimal play
    gain: Floats  # ST's minus UCT's
    grain: float  # change of the mean by one task

    @classmethod
    def from_results(cls, results: Results, setting: tuple[int, float], reading: str = "") -> Gains:
        """Return the gains of a setting, or of another reading of it."""
        measured, sizes = results[key(*setting, reading)], results.sizes
        checkpoints = np.arange(sizes["every"], PULLS + 1, sizes["every"])
        tasks = sizes["reading_tasks"] if reading else sizes["tasks"]
        uct, st = (measured.by_chunk(name) / tasks for name in POLICIES)
        return cls(setting, checkpoints, uct, st - uct, 1 / (len(uct) * tasks))

    @property
    def name(self) -> str:
        return key(*self.setting)

    @property
    def st(self) -> Floats:
        """ST's ratios of optimal play."""
        return self.uct + self.gain

    def between(self, first: float, last: float) -> Floats:
        """Mean gain of every bandit from ``first`` to ``last`` pulls."""
        chosen: Floats = self.gain[:, (self.checkpoints >= first) & (self.checkpoints <= last)].mean(axis=1)
        return chosen

    def at(self, pulls: int, rows: Floats) -> Estimate:
        """Mean over bandits of ratios or gains after ``pulls`` pulls."""
        return mean(rows[:, self.checkpoints == pulls].reshape(-1), grain=self.grain)

    def relative(self, pulls: int) -> Estimate:
        """ST's mean ratio of optimal play over UCT's, minus 1, after ``pulls`` pulls; interval of a ratio of means."""
        gain, uct = (rows[:, self.checkpoints == pulls].reshape(-1) for rows in (self.gain, self.uct))
        return ratio(gain, uct, grain=self.grain)
