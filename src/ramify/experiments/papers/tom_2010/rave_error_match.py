"""Errors of RAVE's values by game and depth, and the error models that have errors of the same size."""

from __future__ import annotations

import numpy as np

from ramify.experiments.framework.estimates import Estimate, mean, mean_difference, share_difference
from ramify.experiments.framework.experiment import Results
from ramify.experiments.framework.ratios import ratio
from ramify.experiments.papers.tom_2010.rave_error_trials import Floats
from ramify.experiments.papers.tom_2010.settings import BEST, MUS, SECOND, WORST, Errors
from ramify.statistics.inference import Interval

SWITCHES = "SOS(10)"
DEPTHS = {"Hex 7x7": (0, 2, 4, 8, 16), "Go 5x5": (0, 2, 4, 8, 12), SWITCHES: (0, 2, 4, 6)}
REAL = [name for name in DEPTHS if name != SWITCHES]
ROLE_OF = {BEST: "best", SECOND: "second", WORST: "worst"}


def key(game: str, depth: int, reference: str) -> str:
    """Key of a point."""
    return f"errors in {game} at depth {depth} by {reference}"


class Measured:
    """Errors by game and depth, with one reference; without a depth, those of all depths together."""

    def __init__(self, results: Results, reference: str) -> None:
        self.results, self.reference = results, reference

    def rows(self, what: str, game: str, depth: int | None = None) -> Floats:
        """Return one value per position."""
        depths = DEPTHS[game] if depth is None else (depth,)
        return np.concatenate([self.results[key(game, one, self.reference)].by_chunk(what) for one in depths])

    def mean(self, what: str, game: str, depth: int | None = None) -> Estimate:
        return mean(self.rows(what, game, depth))

    def spread(self, game: str, depth: int | None = None) -> Interval:
        """Standard deviation of the errors around the position's mean error."""
        return Interval(*(max(0.0, one) ** 0.5 for one in self.mean("own_square", game, depth)))

    def common(self, game: str, depth: int | None = None) -> Estimate:
        """Share of the mean squared error that all moves of a position have in common."""
        squares, own = self.rows("square", game, depth), self.rows("own_square", game, depth)
        return ratio(squares - own, squares)

    def slope(self, game: str, depth: int | None = None) -> Estimate:
        """How much of the differences between searched values the AMAF values keep: a regression through all moves."""
        return ratio(self.rows("covariance", game, depth), self.rows("variance", game, depth))


def nearest(mu: float) -> float:
    """Return the nearest probability that is measured."""
    return min(MUS, key=lambda one: abs(one - mu))


def match(found: Measured, errors: Errors, game: str, depth: int | None = None) -> Estimate:
    """Return the μ at which the target's AMAF value in SOS(10) is wrong by as much as in the game.

    False updates of all moves multiply differences between AMAF values by 1 - 2 μ. Otherwise the target's value Y
    becomes (1 - μ) Y if it is lowered, and Y + μ (1 - Y) if it is raised. Errors shared with other moves are matched to
    whole errors, others to own errors. SOS(10) has errors without false updates too, so the difference counts. Y and
    the slope of SOS(10) are taken as known.
    """
    if errors.target is None:
        plain = found.slope(SWITCHES, 0)
        return scaled(share_difference(plain, found.slope(game, depth)), 0.5 / plain.estimate)
    role = ROLE_OF[errors.target]
    what = f"{'errors' if errors.shared else 'own'} {role}"
    here, there = found.rows(what, game, depth), found.rows(what, SWITCHES, 0)
    value = float(found.rows(f"values {role}", SWITCHES, 0).mean())
    if errors.kind == "lower":
        return scaled(mean_difference(there, here), 1 / value)
    return scaled(mean_difference(here, there), 1 / (1 - value))


def scaled(estimate: Estimate, factor: float) -> Estimate:
    """Return the estimate multiplied by a positive number."""
    return Estimate.from_function(lambda confidence: Interval(*(factor * one for one in estimate.at(confidence))))
