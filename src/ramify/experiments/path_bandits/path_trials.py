"""Trials of UCT and the sufficiency threshold on bandits with mean's paths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ramify import bandits
from ramify.experiments.work import Sums, Work
from ramify.runs.seeds import derive

POLICIES = {"uct": "ucb1(c=0.4)", "st": "sufficiency(c=0.4, alpha=0.6)"}
PULLS = 3000


@dataclass(frozen=True)
class PathBandits(Work):
    """A trial: a bandit with new mean's paths, and ``tasks`` tasks of either policy on it, with the same luck.

    Sums: ``uct`` and ``st``, for each look how many tasks would return an arm that wins in the end.
    """

    arms: int
    winners: float
    tasks: int
    every: int  # pulls between two looks

    def prepare(self) -> None:
        """Compile."""
        bandit = bandits.means_path(self.arms, self.winners)
        for policy in POLICIES.values():
            bandits.run(bandit, policy, pulls=1)

    def run(self, seed: int, first: int, count: int) -> Sums:
        """Make bandits and pull them."""
        times = list(range(self.every, PULLS + 1, self.every))
        totals = {name: np.zeros(len(times), np.int64) for name in POLICIES}
        for trial in range(first, first + count):
            bandit = bandits.means_path(self.arms, self.winners, seed=derive(seed, trial))
            luck = derive(seed, trial, "luck")
            for name, policy in POLICIES.items():
                run = bandits.run(bandit, policy, pulls=PULLS, tasks=self.tasks, seed=luck, times=times)
                totals[name] += run.best.sum(axis=0)
        return {name: total.tolist() for name, total in totals.items()}


def key(arms: int, winners: float) -> str:
    """What a setting is called."""
    return f"{arms} arms, {winners:.0%} winners"
