"""What ST gains over UCT, bandit by bandit."""

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
    """What came out with one setting: rows are bandits, columns looks."""

    setting: tuple[int, float]
    looks: Floats  # pulls
    uct: Floats  # ratios of optimal play
    gain: Floats  # ST's minus UCT's
    grain: float  # one task more or less

    @classmethod
    def from_results(cls, results: Results, setting: tuple[int, float], reading: str = "") -> Gains:
        """The gains of a setting, or of another reading of it."""
        measured, sizes = results[key(*setting, reading)], results.sizes
        looks = np.arange(sizes["every"], PULLS + 1, sizes["every"])
        tasks = sizes["reading_tasks"] if reading else sizes["tasks"]
        uct, st = (measured.by_chunk(name) / tasks for name in POLICIES)
        return cls(setting, looks, uct, st - uct, 1 / (len(uct) * tasks))

    @property
    def name(self) -> str:
        """What the setting is called."""
        return key(*self.setting)

    @property
    def st(self) -> Floats:
        """ST's ratios of optimal play."""
        return self.uct + self.gain

    def between(self, first: float, last: float) -> Floats:
        """The mean gain from ``first`` to ``last`` pulls, of every bandit."""
        chosen: Floats = self.gain[:, (self.looks >= first) & (self.looks <= last)].mean(axis=1)
        return chosen

    def at(self, pulls: int, rows: Floats) -> Estimate:
        """Ratios or gains at some pulls, over bandits."""
        return mean(rows[:, self.looks == pulls].reshape(-1), grain=self.grain)

    def relative(self, pulls: int) -> Estimate:
        """ST's mean ratio of optimal play over UCT's at some pulls, minus 1, with the interval of a ratio of means."""
        gain, uct = (rows[:, self.looks == pulls].reshape(-1) for rows in (self.gain, self.uct))
        return ratio(gain, uct, grain=self.grain)
