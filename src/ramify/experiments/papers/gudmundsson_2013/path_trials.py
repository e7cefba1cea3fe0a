"""UCT and the sufficiency threshold (ST) on mean's-path bandits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ramify import bandits
from ramify.experiments.framework.work import Sums, Work
from ramify.runs.seeds import derive

POLICIES = {"uct": "ucb1(c=0.4)", "st": "sufficiency(c=0.4, alpha=0.6)"}
PULLS = 3000


@dataclass(frozen=True)
class PathBandits(Work):
    """A trial is a bandit with new mean's paths, on which each policy runs ``tasks`` tasks with common random numbers.

    Sums: ``uct`` and ``st``, per checkpoint the number of tasks that would return a winning arm.
    """

    stored_form = "PathBandits(arms, winners, tasks, every)"

    arms: int
    winners: float
    tasks: int
    every: int  # pulls between two checkpoints

    def prepare(self) -> None:
        bandit = self.bandit(0)
        for policy in POLICIES.values():
            bandits.run(bandit, policy, pulls=1)

    def run(self, seed: int, first: int, count: int) -> Sums:
        """Draw ``count`` bandits and run both policies on them."""
        times = list(range(self.every, PULLS + 1, self.every))
        totals = {name: np.zeros(len(times), np.int64) for name in POLICIES}
        for trial in range(first, first + count):
            bandit = self.bandit(derive(seed, trial))
            for name, policy in POLICIES.items():
                task_seed = self.task_seed(seed, trial, name)
                run = bandits.run(bandit, policy, pulls=PULLS, tasks=self.tasks, seed=task_seed, times=times)
                totals[name] += run.chose_best.sum(axis=0)
        return {name: total.tolist() for name, total in totals.items()}

    def bandit(self, seed: int) -> bandits.Bandit:
        """Return the bandit of a trial."""
        return bandits.means_path(self.arms, self.winners, seed=seed)

    def task_seed(self, seed: int, trial: int, policy: str) -> int:
        """Return the seed of a policy's tasks, the same for both policies."""
        del policy
        return derive(seed, trial, "luck")


@dataclass(frozen=True)
class OtherReading(PathBandits):
    """The same trial by another reading of the paper's text."""

    stored_form = "OtherReading(arms, winners, tasks, every, own_luck, deviation, binomial)"

    independent: bool = False  # independent random numbers for the two policies
    deviation: float | None = None  # standard deviation of normal rewards around the mean
    binomial: bool = False  # binomial instead of fixed number of winners

    def bandit(self, seed: int) -> bandits.Bandit:
        return bandits.means_path(self.arms, self.winners, seed=seed, deviation=self.deviation, binomial=self.binomial)

    def task_seed(self, seed: int, trial: int, policy: str) -> int:
        return derive(seed, trial, "luck", policy) if self.independent else super().task_seed(seed, trial, policy)


def key(arms: int, winners: float, reading: str = "") -> str:
    """Return the key of a setting's point."""
    return f"{arms} arms, {winners:.0%} winners" + (f", {reading}" if reading else "")
