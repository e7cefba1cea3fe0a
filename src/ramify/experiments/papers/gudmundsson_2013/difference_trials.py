"""Differences between the best mean and the discriminant value in searches with the dynamic threshold (figure 7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.load import load
from ramify.experiments.framework.work import Sums, Work
from ramify.runs.seeds import derive
from ramify.strategies.selection.sufficiency import COUNT, MEAN

BINS = 100  # from -1 to 1
EDGES = np.linspace(-1.0, 1.0, BINS + 1)


@dataclass(frozen=True)
class DifferenceTrials(Work):
    """Searches of ``agent``, whose policy is ``sufficiency_dynamic``, from the initial position; a trial is one search.

    Sums: ``histogram``, the number of differences per bin of EDGES; ``distance``, the Kolmogorov distance of each
    search's differences from the normal distribution with their mean and deviation.
    """

    stored_form = "DifferenceTrials(game, agent, simulations)"

    game: str
    agent: str
    simulations: int

    def texts(self) -> Sequence[str]:
        return (self.game, self.agent)

    def run(self, seed: int, first: int, count: int) -> Sums:
        """Search ``count`` times."""
        state = load(self.game).initial()
        histogram = np.zeros(BINS, np.int64)
        distance = 0.0
        for trial in range(first, first + count):
            found = differences(Search(state, self.agent, seed=derive(seed, trial)), self.simulations)
            histogram += np.histogram(np.clip(found, -1.0, 1.0), EDGES)[0]
            distance += kolmogorov(found)
        return {"histogram": histogram.tolist(), "distance": distance}


def differences(search: Search, simulations: int) -> npt.NDArray[np.float64]:
    """Run a search and return the difference after each simulation, from the first that has one.

    The policy keeps their number and mean; each is recovered from how it changes the mean.
    """
    memory = search.workers[0].parts.selectors.root_block["memory"][0]
    count, mean = 0.0, 0.0
    found = []
    for _ in range(simulations):
        search.choose(Budget(simulations=1))
        if memory[COUNT] > count:
            found.append(mean + (memory[MEAN] - mean) * memory[COUNT])
            count, mean = memory[COUNT], memory[MEAN]
    return np.array(found)


def kolmogorov(values: npt.NDArray[np.float64]) -> float:
    """Return the largest distance between the distribution of the values and the normal one fitted to them; at most 1.

    It is 1 without two different values.
    """
    if len(values) < 2 or not values.std():
        return 1.0
    expected = ndtr((np.sort(values) - values.mean()) / values.std())
    steps = np.arange(len(values) + 1) / len(values)
    return float(max(np.abs(expected - steps[:-1]).max(), np.abs(expected - steps[1:]).max()))
