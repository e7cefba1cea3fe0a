"""How well a ranking of the policies agrees with the printed one: Spearman's correlation, bootstrapped over games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from ramify.experiments.framework.estimates import Estimate
from ramify.experiments.papers.perick_2012.policies import PAIRS, POLICIES
from ramify.experiments.papers.perick_2012.round_robin import RoundRobin
from ramify.statistics.inference import Interval, normal_quantile

RESAMPLES = 4000
SEED = 2012  # of the bootstrap
# Measured with 1, 5 and 20 games per pair: the intervals cover 95 to 100 %, plain percentiles 1 to 100 %.
WIDENED = 1.5

Values = npt.NDArray[np.float64]


def correlation(averages: Values, printed: Sequence[float]) -> Values:
    """Spearman's correlation of each row of averages with the printed values; equal values share their mean rank."""
    ranks: Values = rankdata(averages, axis=-1)
    theirs: Values = rankdata(printed)
    ranks = ranks - ranks.mean(axis=-1, keepdims=True)
    theirs = theirs - theirs.mean()
    spread = np.sqrt((ranks**2).sum(axis=-1) * (theirs**2).sum())
    found: Values = np.divide(ranks @ theirs, spread, out=np.zeros_like(spread), where=spread > 0)
    return found


def averages(shares: Values) -> Values:
    """Mean share of each policy over its opponents. The last axis has the pairs; in the result, the policies."""
    names = list(POLICIES)
    found = np.zeros((*shares.shape[:-1], len(names)))
    for k, (first, second) in enumerate(PAIRS):
        found[..., names.index(first)] += shares[..., k]
        found[..., names.index(second)] += 1 - shares[..., k]
    return found / (len(names) - 1)


def resampled(robin: RoundRobin, seed: int) -> Values:
    """Averages of RESAMPLES round robins, drawn from the decisive games of each pair and half a game of either result.

    Without the latter, pairs with a clean sweep would not vary.
    """
    games = np.array([robin.games[pair] for pair in PAIRS])
    shares = (np.array([robin.wins[pair] for pair in PAIRS]) + 0.5) / (games + 1)
    wins = np.random.default_rng((SEED, seed)).binomial(games, shares, (RESAMPLES, len(PAIRS)))
    return averages(np.where(games > 0, wins / np.maximum(games, 1), 0.5))


def measured_shares(robin: RoundRobin) -> Values:
    return np.array([robin.wins[pair] / robin.games[pair] if robin.games[pair] else 0.5 for pair in PAIRS])


def agreement(robin: RoundRobin, printed: Mapping[str, float], seed: int = 0) -> Estimate:
    """Correlation of a round robin's averages with printed ones."""
    wanted = [printed[name] for name in POLICIES]
    return _bootstrapped(
        float(correlation(averages(measured_shares(robin)), wanted)), correlation(resampled(robin, seed), wanted), 1.0
    )


def difference(first: RoundRobin, second: RoundRobin, printed: Mapping[str, float]) -> Estimate:
    """How much better the first round robin agrees than the second, whose games are independent."""
    wanted = [printed[name] for name in POLICIES]
    found = [float(correlation(averages(measured_shares(one)), wanted)) for one in (first, second)]
    drawn = [correlation(resampled(one, seed), wanted) for seed, one in enumerate((first, second))]
    return _bootstrapped(found[0] - found[1], drawn[0] - drawn[1], 2.0)


def _bootstrapped(found: float, drawn: Values, most: float) -> Estimate:
    """Interval from the deviation of the resampled values, widened, and centred where their bias is taken off.

    Noise lowers a rank correlation, and resampling lowers it once more by about as much. Where policies are nearly
    equal, ranks jump, and a plain bootstrap is too narrow (see WIDENED). The estimate itself is as measured.
    """
    bias = float(drawn.mean()) - found
    error = WIDENED * float(drawn.std())

    def at(confidence: float) -> Interval:
        half = normal_quantile(confidence) * error
        low, high = found - bias - half, found - bias + half
        return Interval(found, max(-most, min(low, found)), min(most, max(high, found)))

    return Estimate.from_function(at)
