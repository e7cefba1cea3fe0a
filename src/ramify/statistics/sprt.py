"""Sequential probability ratio test (SPRT): play pairs until one of two hypotheses about the strength is accepted.

Sources: A. Wald, "Sequential Analysis" (1947), for the bounds; X. Li, J. Liu and Z. Ying, Sequential Analysis 33
(2014), 539-563, for the generalized test; M. Van den Bergh, "A Practical Introduction to the GSPRT" and "Comments on
normalized Elo", for its use in engine matches.
"""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any, Literal, Self

from ramify.errors import RamifyError
from ramify.numpy_scalars import plain
from ramify.statistics.inference import NORMALIZED_UNIT, Interval, anytime_interval, expected_score
from ramify.statistics.multinomial import Multinomial
from ramify.statistics.pairs import Floats, PairedResults

Model = Literal["normalized", "logistic"]
Decision = Literal["H0", "H1", "continue"]

MAX_ELO = 5000  # the expected score is then 1 - 3e-13; no number of games shows more


@dataclass(frozen=True)
class SprtState:
    """State of a test, with the score so far."""

    llr: float
    lower: float
    upper: float
    decision: Decision
    score: float
    anytime: Interval  # of the expected score; valid although the test chose when to stop

    def __str__(self) -> str:
        low, high = self.anytime.low, self.anytime.high
        return (
            f"LLR {self.llr:z.2f} ({self.lower:.2f}, {self.upper:.2f}): {self.decision}; "
            f"score {self.score:.1%}, anytime interval [{low:.1%}, {high:.1%}]"
        )


@dataclass(frozen=True)
class Sprt:
    """Test of H0: the difference is `elo0`, against H1: it is `elo1`.

    `alpha` is the probability of accepting H1 if H0 holds, `beta` of accepting H0 if H1 holds. `model` is the scale of
    the two Elo values. "logistic": they fix the expected score. "normalized": they fix the lead in standard deviations
    of a game's score, which makes the length of a test independent of draw rate and openings.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            value = plain(getattr(self, name))
            object.__setattr__(self, name, value)
            if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
                raise RamifyError(f"{name} must be a finite number, not {value}")
        for name, value in (("elo0", self.elo0), ("elo1", self.elo1)):
            if abs(value) > MAX_ELO:
                raise RamifyError(f"{name} must be from -{MAX_ELO} to {MAX_ELO}, not {value:g}")
        if not self.elo0 < self.elo1:
            raise RamifyError(f"elo0 must be less than elo1, not {self.elo0} and {self.elo1}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise RamifyError(f"alpha and beta must be positive with a sum below 1, not {self.alpha} and {self.beta}")
        if self.model not in ("normalized", "logistic"):
            raise RamifyError(f"unknown Elo model '{self.model}': use 'normalized' or 'logistic'")

    @classmethod
    def between(cls, differences: tuple[float, float], **more: Any) -> Self:
        """Return the test of two differences, (elo0, elo1)."""
        if not isinstance(differences, tuple | list) or len(differences) != 2:
            raise RamifyError(f"a sequential test needs two differences, e.g. (0, 10), not {differences!r}")
        return cls(differences[0], differences[1], **more)

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of the log likelihood ratio: ln(beta / (1 - alpha)) and ln((1 - beta) / alpha)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, results: PairedResults) -> float:
        """Return the generalized log likelihood ratio of H1 against H0 for the multinomial of pair scores.

        Each hypothesis gets the most likely distribution that it admits, without approximation. Scores that wins, draws
        and losses can give but that did not occur count as 0.001 pairs.
        """
        if not results.pairs:
            return 0.0
        observed = Multinomial.observed(results)
        h0 = self._most_likely(observed, self.elo0, results.games_per_pair)
        h1 = self._most_likely(observed, self.elo1, results.games_per_pair)
        return observed.log_likelihood(h1) - observed.log_likelihood(h0)

    def _most_likely(self, observed: Multinomial, elo: float, games_per_pair: int) -> Floats:
        if self.model == "logistic":
            return observed.with_mean(expected_score(elo))
        return observed.with_t_value(elo / NORMALIZED_UNIT * math.sqrt(games_per_pair))

    def decide(self, results: PairedResults) -> Decision:
        """Return the accepted hypothesis, or "continue" if more pairs are needed."""
        return self._decision(self.llr(results))

    def _decision(self, llr: float) -> Decision:
        lower, upper = self.bounds
        if llr >= upper:
            return "H1"
        return "H0" if llr <= lower else "continue"

    def state(self, results: PairedResults, confidence: float = 0.95) -> SprtState:
        """Return the decision with the figures to print with it."""
        llr = self.llr(results)
        return SprtState(llr, *self.bounds, self._decision(llr), results.score, anytime_interval(results, confidence))
