"""Elo ratings of a pool of agents from all their pairings, by the Bradley-Terry model.

Source: R. A. Bradley and M. E. Terry, Biometrika 39 (1952), 324-345; the fit is choix's I-LSR (L. Maystre and
M. Grossglauser, NIPS 2015). Draws count as half a win.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.special import expit, ndtr

from ramify.errors import RamifyError, suggestion
from ramify.statistics.inference import Interval, normal_quantile, relative_variance
from ramify.statistics.pairs import Floats, PairedResults

ELO_PER_NAT = 400 / math.log(10)
MAX_ITERATIONS = 10_000  # clean sweeps need thousands, each a small linear system


@dataclass(frozen=True)
class Ratings:
    """Elo ratings of a pool with their covariance; strongest first."""

    players: tuple[str, ...]
    elo: tuple[float, ...]
    covariance: Floats = field(repr=False, compare=False)

    def interval(self, player: str, confidence: float = 0.95) -> Interval:
        """Return a player's rating relative to the pool's mean or the anchor, which is taken as exact."""
        at = self._index(player)
        return self._interval(self.elo[at], float(self.covariance[at, at]), confidence)

    def difference(self, first: str, second: str, confidence: float = 0.95) -> Interval:
        """Return the rating difference. Its interval is narrower than the two players' intervals suggest."""
        return self._interval(*self._lead(first, second), confidence)

    def los(self, first: str, second: str) -> float:
        """Return the likelihood that the first player is stronger than the second."""
        lead, variance = self._lead(first, second)
        return float(ndtr(lead / math.sqrt(variance))) if variance else 0.5

    def _lead(self, first: str, second: str) -> tuple[float, float]:
        i, j = self._index(first), self._index(second)
        variance = self.covariance[i, i] + self.covariance[j, j] - 2 * self.covariance[i, j]
        return self.elo[i] - self.elo[j], max(0.0, float(variance))

    def _index(self, player: str) -> int:
        if player not in self.players:
            raise RamifyError(f"'{player}' is not in the pool; {suggestion(player, self.players)}")
        return self.players.index(player)

    @staticmethod
    def _interval(estimate: float, variance: float, confidence: float) -> Interval:
        half = normal_quantile(confidence) * math.sqrt(variance)
        return Interval(estimate, estimate - half, estimate + half)


def bradley_terry(
    results: Mapping[tuple[str, str], PairedResults], anchor: str | None = None, prior_draws: float = 1.0
) -> Ratings:
    """Fit a rating to each player. ``results[a, b]`` are the pairs between a and b from a's point of view.

    P(a beats b) = 1 / (1 + 10^((r_b - r_a) / 400)). Each player also has `prior_draws` draws with an imaginary player
    of the pool's level, so that clean sweeps and players who never met get finite ratings with wide intervals. The
    mean rating is 0, or the anchor's if there is one.

    The covariance is the sandwich H^-1 M H^-1. H is the Fisher information, to which a pairing of n pairs of k games
    adds n k s (1 - s) for the expected score s. M is the variance of the likelihood's gradient: a pairing adds
    n k^2 s (1 - s) v, with v its relative variance, instead of the n k s (1 - s) of independent games. So pairs whose
    luck cancels narrow the intervals, and pairs that repeat it widen them. The prior enters both as if it were games.
    Nothing else is corrected: s is the model's, not the observed score, so neither a wrong model nor dependence between
    pairs widens the intervals. The form is that of P. J. Huber, Fifth Berkeley Symposium (1967), with another M.
    """
    players = sorted({player for pairing in results for player in pairing})
    if anchor is not None and anchor not in players:
        raise RamifyError(f"the anchor '{anchor}' has no results; {suggestion(anchor, players)}")
    if prior_draws <= 0:
        raise RamifyError(f"prior_draws must be positive, not {prior_draws}: clean sweeps would have no rating")
    size = len(players)
    wins = np.zeros((size + 1, size + 1))  # last row and column: the imaginary player
    wins[size, :size] = wins[:size, size] = prior_draws / 2
    inflation = np.ones((size + 1, size + 1))  # variance of a pairing's result relative to independent games
    for (i, j), pairing in _merged(results, players).items():
        points = pairing.pairs * pairing.games_per_pair * pairing.pair_score
        wins[i, j] += points
        wins[j, i] += pairing.pairs * pairing.games_per_pair - points
        inflation[i, j] = inflation[j, i] = pairing.games_per_pair * relative_variance(pairing)
    import choix  # noqa: PLC0415  (0.7 s to import, with all of SciPy, and a match of two has no ratings)

    strength = choix.ilsr_pairwise_dense(wins, max_iter=MAX_ITERATIONS)
    expected = expit(strength[:, None] - strength[None, :])
    information = (wins + wins.T) * expected * (1 - expected)
    inverse = np.linalg.inv(_laplacian(information)[:size, :size])
    covariance = inverse @ _laplacian(information * inflation)[:size, :size] @ inverse
    origin = np.full(size, 1 / size) if anchor is None else np.eye(size)[players.index(anchor)]
    centring = np.eye(size) - origin
    elo = ELO_PER_NAT * centring @ strength[:size]
    order = np.argsort(-elo, kind="stable")
    covariance = ELO_PER_NAT**2 * (centring @ covariance @ centring.T)[np.ix_(order, order)]
    return Ratings(tuple(players[i] for i in order), tuple(float(elo[i]) for i in order), covariance)


def _merged(
    results: Mapping[tuple[str, str], PairedResults], players: list[str]
) -> dict[tuple[int, int], PairedResults]:
    """Return one entry per two players with a finished pair, by index, lower index first."""
    merged: dict[tuple[int, int], PairedResults] = {}
    for (first, second), seen in results.items():
        if first == second:
            raise RamifyError(f"'{first}' cannot be paired with itself")
        key = players.index(min(first, second)), players.index(max(first, second))
        pairing = seen if first < second else seen.mirrored()
        if pairing.pairs:
            merged[key] = merged[key] + pairing if key in merged else pairing
    return merged


def _laplacian(weights: Floats) -> Floats:
    """Return the sum over pairings of weight * (e_i - e_j)(e_i - e_j)^T."""
    return np.diag(weights.sum(axis=1)) - weights
