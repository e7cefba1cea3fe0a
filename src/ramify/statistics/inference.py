"""Inference from paired results: intervals of score and Elo, likelihood of superiority, tests, Holm's correction.

The independent observations are finished pairs, never games. docs/statistics.md explains the choices.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from ramify.errors import RamifyError
from ramify.statistics.brent import root
from ramify.statistics.multinomial import Multinomial
from ramify.statistics.pairs import DIGITS, Floats, PairedResults

NORMALIZED_UNIT = 800 / math.log(10)  # normalized Elo in one standard deviation of a game's score: 347.4
PRIOR_SQUARES = 0.5  # squares of one pair won 2-0 and one lost 0-2; keeps estimated variances above zero
BETS = np.geomspace(0.005, 0.995, 16)  # fractions of the largest safe bet that the anytime interval mixes
MAX_T = 1000  # an interval end this many times farther out than the estimate is reported as infinite
EXACT_PATTERNS = 1_000_000  # sign patterns of an exact p value; enough for about a thousand pairs


class Interval(NamedTuple):
    """An estimate with its confidence interval."""

    estimate: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.estimate:z.4g} [{self.low:z.4g}, {self.high:z.4g}]"


def normal_quantile(confidence: float) -> float:
    """Return z such that a normal variable is within z standard deviations of its mean with this probability."""
    return float(ndtri(1 - _error(confidence) / 2))


def wilson(successes: float, n: float, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval of a proportion in n trials; n and successes need not be integers.

    (p + z^2/2n +- z sqrt(p (1 - p)/n + z^2/4n^2)) / (1 + z^2/n) with p = successes/n.
    Source: E. B. Wilson, JASA 22 (1927), 209-212.
    """
    if n <= 0 or not 0 <= successes <= n:
        raise RamifyError(f"a proportion needs 0 <= successes <= n and n > 0, not {successes} of {n}")
    p, z = successes / n, normal_quantile(confidence)
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Interval(p, centre - half if successes > 0 else 0.0, centre + half if successes < n else 1.0)


def relative_variance(results: PairedResults) -> float:
    """Return the variance of pair scores divided by its maximum, mean (1 - mean); between 0 and 1.

    With S the sum of squares between pairs and W = sum x (1 - x), the identity S + W = n mean (1 - mean) gives
    S / (S + W). Adding `PRIOR_SQUARES` to S keeps it above 0 if all pairs are equal, and near 1 (the conservative
    value) for few pairs. Independent games without draws have 1/2; pairs whose games always agree have 1.
    """
    between = results.squares + PRIOR_SQUARES
    within = math.fsum(count * score * (1 - score) for score, count in results.histogram.items())
    return between / (between + within)


def score_interval(results: PairedResults, confidence: float = 0.95) -> Interval:
    """Return Wilson's interval of the expected score, with the effective sample size implied by the relative variance.

    n pairs are worth n / relative variance decisive games. This is reduced by (z / t)^2, t being Student's quantile
    with n - 1 degrees of freedom, because the variance itself is estimated. Sources: E. L. Korn and B. I. Graubard,
    Survey Methodology 24 (1998), 193-201 (effective size and reduction); C. Franco et al., Journal of Survey Statistics
    and Methodology 7 (2019), 334-364 (with Wilson's interval). The prior is our own; tests check the coverage.
    """
    if results.pairs < 2:
        return Interval(results.pair_score, 0.0, 1.0)
    reduction = (normal_quantile(confidence) / _student(results, confidence)) ** 2
    n = results.pairs / relative_variance(results) * reduction
    return wilson(results.pair_score * n, n, confidence)._replace(estimate=results.pair_score)


def anytime_interval(results: PairedResults, confidence: float = 0.95) -> Interval:
    """Return an interval of the expected score that is valid at all times simultaneously, whatever stops the match.

    Betting the fraction b of the largest safe bet on scores above m multiplies the capital by 1 + b (x / m - 1) per
    pair. If the expected score is m, no strategy reaches 2 / (1 - confidence) with more than half the permitted error
    probability (Ville's inequality), so an m at which the bets' mean capital is that large is excluded; likewise for
    bets on scores below. Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded
    random variables by betting", JRSS B 86 (2024), 1-27. Fixed bets make it independent of the order of the pairs.
    """
    values, counts = np.asarray(results.scores), np.asarray(results.counts)
    low = _capital_bound(values, counts, confidence)
    high = 1 - _capital_bound(1 - values, counts, confidence)
    return Interval(results.pair_score, low, high)


def _capital_bound(values: Floats, counts: Floats, confidence: float) -> float:
    def excess(m: float) -> float:
        capital = np.log1p(np.multiply.outer(BETS, values / m - 1)) @ counts - math.log(BETS.size)
        return float(np.logaddexp.reduce(capital)) - math.log(2 / _error(confidence))

    smallest = 1e-9
    if excess(smallest) <= 0:
        return 0.0
    return root(excess, smallest, 1.0)


def elo(score: float) -> float:
    """Return the Elo difference at which this score is expected: 400 log10(s / (1 - s)); infinite at 0 and 1.

    Source: A. Elo, "The Rating of Chessplayers" (1978), in its logistic form.
    """
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def expected_score(elo_difference: float) -> float:
    """Return the score expected at an Elo difference: 1 / (1 + 10^(-d / 400)), the inverse of `elo`."""
    return 1 / (1 + 10 ** (-elo_difference / 400))


def elo_interval(results: PairedResults, confidence: float = 0.95) -> Interval:
    """Return `score_interval` transformed to the Elo scale."""
    return Interval(*(elo(score) for score in score_interval(results, confidence)))


def normalized_elo(results: PairedResults) -> float:
    """Return normalized Elo: the mean lead in standard deviations of a single game's score, times 800 / ln 10.

    (mean - 1/2) / (sd sqrt(k)) * 800 / ln 10, where sd is the standard deviation of the score of pairs of k games. It
    measures how easily a difference is detected, and hardly depends on the draw rate. Infinite if all pairs are equal.
    Source: M. Van den Bergh, "Normalized Elo" and fishtest pull request 875.
    """
    lead = results.pair_score - 0.5
    if lead == 0 or not results.pairs:
        return lead
    if results.squares == 0:
        return math.copysign(math.inf, lead)
    deviation = math.sqrt(results.squares / results.pairs)
    return NORMALIZED_UNIT * lead / (deviation * math.sqrt(results.games_per_pair))


def normalized_elo_interval(results: PairedResults, confidence: float = 0.95) -> Interval:
    """Return the likelihood-ratio interval of normalized Elo.

    It contains the values for which twice the loss of log likelihood is at most the squared quantile (S. Wilks, 1938;
    for empirical likelihood A. Owen, 1988). The quantile is Student's with n - 1 degrees of freedom, for few pairs.
    """
    estimate = normalized_elo(results)
    if results.pairs < 2:
        return Interval(estimate, -math.inf, math.inf)
    observed = Multinomial.observed(results)
    best = observed.log_likelihood(observed.frequencies)
    allowed = _student(results, confidence) ** 2 / 2

    def margin(t_value: float) -> float:
        return allowed - best + observed.log_likelihood(observed.with_t_value(t_value))

    def bound(direction: float) -> float:
        if estimate == direction * math.inf:
            return estimate
        step = direction
        while margin(observed.t_value + step) > 0:
            step *= 2
            if abs(step) > MAX_T * (1 + abs(observed.t_value)):
                return direction * math.inf
        t_value = root(margin, observed.t_value, observed.t_value + step, absolute=1e-7)
        return t_value * NORMALIZED_UNIT / math.sqrt(results.games_per_pair)

    return Interval(estimate, bound(-1.0), bound(1.0))


def los(results: PairedResults) -> float:
    """Return the likelihood of superiority, P(expected score > 1/2): Phi(sum d / sqrt(sum d^2)), d = score - 1/2.

    For single games it is the usual Phi((wins - losses) / sqrt(wins + losses)).
    Source: chessprogramming.org, "Match Statistics"; here with pairs instead of games.
    """
    return float(ndtr(_standardized_lead(results)))


def paired_p_value(results: PairedResults) -> float:
    """Return the two-sided p value of equal strength by Fisher's sign-flip test ("The Design of Experiments", 1935).

    Between equal agents a pair's score x is as likely as 1 - x, so each x - 1/2 has a random sign. Of m pairs with the
    same |x - 1/2| a binomial number are positive; summing over all combinations of these numbers is exact. Beyond
    `EXACT_PATTERNS` combinations the sum of x - 1/2 is taken as normal with variance sum (x - 1/2)^2.
    """
    from scipy.stats import binom  # noqa: PLC0415  (0.4 s to import, and a match of two does not need it)

    lead = np.round(results.pair_scores - 0.5, DIGITS)
    sizes, multiplicities = np.unique(np.abs(lead[lead != 0]), return_counts=True)
    if np.prod(multiplicities + 1.0) > EXACT_PATTERNS:
        return float(2 * ndtr(-abs(_standardized_lead(results))))
    sums, probabilities = np.zeros(1), np.ones(1)
    for size, multiplicity in zip(sizes, multiplicities, strict=True):
        positive = np.arange(multiplicity + 1)
        sums = np.add.outer(sums, size * (2 * positive - multiplicity)).ravel()
        probabilities = np.multiply.outer(probabilities, binom.pmf(positive, multiplicity, 0.5)).ravel()
    return min(1.0, float(probabilities[np.abs(sums) >= abs(lead.sum()) - 1e-9].sum()))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p values adjusted for multiple testing, in the given order. Reject those below the error probability.

    The i-th smallest of m becomes the largest of (m - j + 1) p_j for j <= i, at most 1. This bounds the probability of
    any false rejection, however dependent the tests are. Source: S. Holm, Scand. J. Statist. 6 (1979), 65-70.
    """
    if any(not 0 <= p <= 1 for p in p_values):
        raise RamifyError(f"invalid p values {list(p_values)}: use numbers from 0 to 1")
    order = np.argsort(p_values, kind="stable")
    stepped = np.asarray(p_values, dtype=np.float64)[order] * np.arange(len(p_values), 0, -1)
    adjusted = np.empty(len(p_values))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(stepped))
    return tuple(float(p) for p in adjusted)


def _standardized_lead(results: PairedResults) -> float:
    lead = results.pair_scores - 0.5
    length = float(np.linalg.norm(lead))
    return float(lead.sum()) / length if length else 0.0


def _student(results: PairedResults, confidence: float) -> float:
    return float(stdtrit(results.pairs - 1, 1 - _error(confidence) / 2))


def _error(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise RamifyError(f"invalid confidence {confidence}: use a number strictly between 0 and 1, e.g. 0.95")
    return 1 - confidence
