"""Correlation of length and quality of simulations with their outcome, in self-play games of the baseline.

A bonus of weight 0 changes nothing but still keeps statistics: after a search its block holds count, mean and spread of
the measure among the simulations that each player won. The correlation with the winner follows from these.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.agents.agent import agent as make_agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.arena.matches.playing.openings import open_game
from ramify.contract.game import State
from ramify.contract.load import load
from ramify.experiments.framework.estimates import Estimate, mean
from ramify.experiments.framework.experiment import PointResult
from ramify.experiments.framework.work import Sums, Work
from ramify.experiments.papers.pepels_2014.players import enhanced
from ramify.runs.caches import clear_between_sessions
from ramify.runs.seeds import derive

COUNTING = "relative_bonus(a=0, then=qualitative_bonus(a=0))"
LENGTH, QUALITY = "length", "quality"
MEASURES = (LENGTH, QUALITY)  # in the order of the block
MIN_WINS = 10  # a search counts if each player won at least this many simulations


@dataclass(frozen=True)
class SimulationTrials(Work):
    """Self-play games of an agent; a trial is one game after a random opening.

    Sums: ``games``; ``searches`` that count. Over these searches, for each measure: ``correlation`` with a win of the
    player who wins more simulations, and ``explained``, its square minus the expectation under chance. ``spread`` is
    the standard deviation of the length over its mean; ``foreseen`` the mean simulation length in the first search, and
    ``plies`` the plies that the game then took.
    """

    stored_form = "SimulationTrials(game, agent, simulations, opening_plies)"

    game: str
    agent: str
    simulations: int
    opening_plies: int = 2

    def texts(self) -> tuple[str, str]:
        return (self.game, self.agent)

    def prepare(self) -> None:
        _search(self.game, self.agent)

    def run(self, seed: int, first: int, count: int) -> Sums:
        """Play ``count`` games."""
        game = load(self.game)
        search = _search(self.game, self.agent)
        sums = _zero_sums()
        for trial in range(first, first + count):
            data, _, _ = open_game(game, "", self.opening_plies, derive(seed, trial))
            plies = 0
            while not game.over(data):
                search.restart(State(game, data), derive(seed, trial, plies))
                code = search.choose(Budget(simulations=self.simulations))
                block = search.workers[0].reward_block
                assert block is not None
                if plies == 0:
                    sums["foreseen"] += _all(block["winners"][0])[1]
                _count(sums, block)
                data = game.play(data, code)
                plies += 1
            sums["games"] += 1
            sums["plies"] += plies
        return sums


@lru_cache(maxsize=16)
def _search(game: str, agent: str) -> Search:
    return Search(load(game).initial(), make_agent(enhanced(agent, COUNTING)), seed=0)


clear_between_sessions(_search)


def _zero_sums() -> Sums:
    return {"games": 0, "searches": 0, "plies": 0, "foreseen": 0.0, "spread": 0.0} | {
        measure: {"correlation": 0.0, "explained": 0.0} for measure in MEASURES
    }


def _count(sums: Sums, block: npt.NDArray[Any]) -> None:
    """Add a search to the sums, unless one player won too few of its simulations."""
    length = block["winners"][0]
    if min(length["count"][:2]) < MIN_WINS or not all(_all(one)[2] > 0.0 for one in block["winners"]):
        return
    sums["searches"] += 1
    _, average, variance = _all(length)
    sums["spread"] += math.sqrt(variance) / average
    for measure, winners in zip(MEASURES, block["winners"], strict=True):
        found = correlation(winners)
        sums[measure]["correlation"] += found
        sums[measure]["explained"] += found**2 - 1 / _all(winners)[0]


def _all(winners: npt.NDArray[Any]) -> tuple[float, float, float]:
    """Count, mean and variance of a measure over the simulations of both winners."""
    counts, means, squares = (winners[name][:2] for name in ("count", "mean", "squares"))
    total = float(counts.sum())
    if total == 0.0:
        return 0.0, 0.0, 0.0
    average = float(counts @ means) / total
    return total, average, float(squares.sum() + counts @ (means - average) ** 2) / total


def correlation(winners: npt.NDArray[Any]) -> float:
    """Point-biserial correlation of a measure with a win of the player who wins more often (Pearson's with 0 and 1)."""
    counts, means = winners["count"][:2], winners["mean"][:2]
    total, _, variance = _all(winners)
    favourite = int(np.argmax(counts))
    return float((means[favourite] - means[1 - favourite]) * math.sqrt(counts[0] * counts[1]) / total / variance**0.5)


@dataclass(frozen=True)
class Correlations:
    """Estimates of one game, over its trials; a chunk is one game."""

    correlation: dict[str, Estimate]
    explained: dict[str, Estimate]
    spread: Estimate
    length_errors: npt.NDArray[
        np.float64
    ]  # relative error of the first search's mean length as an estimate of the game's
    ratio: Estimate  # first search's mean length over the game's

    @classmethod
    def from_point(cls, measured: PointResult) -> Correlations:
        searches = measured.by_chunk("searches")
        counted = searches > 0

        def average(*path: str) -> Estimate:
            return mean(measured.by_chunk(*path)[counted] / searches[counted])

        ratio = measured.by_chunk("foreseen") / measured.by_chunk("plies")
        return cls(
            {one: average(one, "correlation") for one in MEASURES},
            {one: average(one, "explained") for one in MEASURES},
            average("spread"),
            abs(ratio - 1),
            mean(ratio),
        )
