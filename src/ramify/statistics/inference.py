"""What a paired result says: intervals for the score and for Elo, likelihood of superiority, tests, Holm's correction.

Every function takes `PairedResults` and counts finished pairs, never games, as independent observations.
docs/statistics.md explains the choices to users.
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
PRIOR_SQUARES = 0.5  # the squares of one pair won 2-0 and one lost 0-2, added so that no spread is estimated as zero
BETS = np.geomspace(0.005, 0.995, 16)  # fractions of the largest safe bet that the anytime interval mixes
MAX_T = 1000  # an end of the interval this many times farther out than the estimate is reported as infinite
EXACT_PATTERNS = 1_000_000  # sign patterns of a p value; about a thousand pairs of wins, draws and losses stay below it


class Interval(NamedTuple):
    """An estimate and the confidence interval around it."""

    estimate: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.estimate:z.4g} [{self.low:z.4g}, {self.high:z.4g}]"


def normal_quantile(confidence: float) -> float:
    """The distance from the mean, in standard deviations, that a normal variable keeps with this probability."""
    return float(ndtri(1 - _error(confidence) / 2))


def wilson(successes: float, n: float, confidence: float = 0.95) -> Interval:
    """Wilson's score interval for a proportion, for n independent trials; n and successes need not be whole.

    (p + z^2/2n +- z sqrt(p (1 - p)/n + z^2/4n^2)) / (1 + z^2/n) with p = successes/n.
    Source: E. B. Wilson, JASA 22 (1927), 209-212.
    """
    if n <= 0 or not 0 <= successes <= n:
        raise RamifyError(f"A proportion needs 0 <= successes <= n and n > 0, not {successes} of {n}.")
    p, z = successes / n, normal_quantile(confidence)
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Interval(p, centre - half if successes > 0 else 0.0, centre + half if successes < n else 1.0)


def relative_variance(results: PairedResults) -> float:
    """The variance of a pair's score as a share of the most it could be, mean (1 - mean); between 0 and 1.

    With S the squares between pairs and W = sum x (1 - x), the identity S + W = n mean (1 - mean) gives S / (S + W).
    Adding `PRIOR_SQUARES` to S keeps it above 0 when all pairs are equal, and close to 1, the careful side, when
    little is known. Independent games without draws have 1/2; pairs whose games always agree have 1.
    """
    between = results.squares + PRIOR_SQUARES
    within = math.fsum(count * score * (1 - score) for score, count in results.histogram.items())
    return between / (between + within)


def score_interval(results: PairedResults, confidence: float = 0.95) -> Interval:
    """The expected score, by Wilson's interval with the effective sample size that the spread between pairs implies.

    n pairs are worth n / spread decisive games. For few pairs this is reduced by (z / t)^2, t being Student's quantile
    with n - 1 degrees of freedom, because the spread itself is estimated. Sources: E. L. Korn and B. I. Graubard,
    Survey Methodology 24 (1998), 193-201 (effective size and reduction); C. Franco et al., Journal of Survey Statistics
    and Methodology 7 (2019), 334-364 (with Wilson's interval). The added prior is ours; coverage is tested.
    """
    if results.pairs < 2:
        return Interval(results.pair_score, 0.0, 1.0)
    reduction = (normal_quantile(confidence) / _student(results, confidence)) ** 2
    n = results.pairs / relative_variance(results) * reduction
    return wilson(results.pair_score * n, n, confidence)._replace(estimate=results.pair_score)


def anytime_interval(results: PairedResults, confidence: float = 0.95) -> Interval:
    """The expected score, by an interval that holds at every moment of the match at once, whatever stops the match.

    A gambler who bets the fraction b of the largest safe bet on scores above m multiplies the capital by
    1 + b (x / m - 1) a pair. If the expected score is m, no strategy reaches 2 / (1 - confidence) with more than half
    the permitted error probability (Ville's inequality), so an m at which the bets' mean capital is that large is
    excluded; likewise for bets on scores below. Source: I. Waudby-Smith and A. Ramdas, "Estimating means of bounded
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
    """The Elo difference at which this score is expected: 400 log10(s / (1 - s)); infinite at 0 and 1.

    Source: A. Elo, "The Rating of Chessplayers" (1978), in its logistic form.
    """
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def expected_score(elo_difference: float) -> float:
    """The score expected at an Elo difference: 1 / (1 + 10^(-d / 400)), the inverse of `elo`."""
    return 1 / (1 + 10 ** (-elo_difference / 400))


def elo_interval(results: PairedResults, confidence: float = 0.95) -> Interval:
    """The Elo difference, by carrying `score_interval` over to the Elo scale."""
    return Interval(*(elo(score) for score in score_interval(results, confidence)))


def normalized_elo(results: PairedResults) -> float:
    """Normalized Elo: the mean lead in standard deviations of a single game's score, times 800 / ln 10.

    (mean - 1/2) / (sd sqrt(k)) * 800 / ln 10, where sd is the deviation of the score of pairs of k games. It measures
    how easily a difference is detected, and hardly changes with the draw rate. It is infinite when all pairs are alike.
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
    """Normalized Elo, by the likelihood ratio: all values that the multinomial likelihood does not contradict.

    A value stays when twice the loss of log likelihood is at most the squared quantile (S. Wilks, 1938; for empirical
    likelihood A. Owen, 1988), Student's with n - 1 degrees of freedom because pairs may be few.
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
        t_value = root(margin, observed.t_value, observed.t_value + step, close=1e-7)
        return t_value * NORMALIZED_UNIT / math.sqrt(results.games_per_pair)

    return Interval(estimate, bound(-1.0), bound(1.0))


def los(results: PairedResults) -> float:
    """The likelihood of superiority, P(the expected score exceeds 1/2): Phi(sum d / sqrt(sum d^2)), d = score - 1/2.

    For single games without pairs it is the usual Phi((wins - losses) / sqrt(wins + losses)).
    Source: chessprogramming.org, "Match Statistics"; here a pair takes the place of a game.
    """
    return float(ndtr(_standardized_lead(results)))


def paired_p_value(results: PairedResults) -> float:
    """The two-sided p value of equal strength, by R. A. Fisher's sign-flip test ("The Design of Experiments", 1935).

    Between equal agents a pair's score x is as likely as 1 - x, so each x - 1/2 has a random sign. Of m pairs with the
    same |x - 1/2| a binomial number are positive; all combinations of these numbers are summed, which is exact. Only
    when there are more than `EXACT_PATTERNS` the sum of x - 1/2 is taken as normal with variance sum (x - 1/2)^2.
    """
    from scipy.stats import binom  # noqa: PLC0415  (0.4 s, and a match of two does not need it)

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
    """P values adjusted for testing all of them, in the order given; reject those below the chosen error probability.

    The i-th smallest of m becomes the largest of (m - j + 1) p_j for j <= i, at most 1. This bounds the probability of
    any false rejection, however the tests depend on each other. Source: S. Holm, Scand. J. Statist. 6 (1979), 65-70.
    """
    if any(not 0 <= p <= 1 for p in p_values):
        raise RamifyError(f"P values lie between 0 and 1: {list(p_values)}.")
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
        raise RamifyError(f"A confidence lies strictly between 0 and 1, for example 0.95, not {confidence}.")
    return 1 - confidence
