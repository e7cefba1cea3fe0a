"""Results as the figures and claims need them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ramify.experiments.framework.estimates import Estimate, mean, share, share_difference
from ramify.experiments.framework.experiment import Results
from ramify.experiments.papers.tom_2010.settings import Setting, speed_key

MAX_EXPONENT = 16  # largest exponent in the thesis

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Term:
    """Term of a sum at the root: a move's ``estimates``, or its ``visits`` as a share of all simulations."""

    factor: float
    what: str
    move: int
    exponent: int


class ResultView:
    """Results by setting and by the exponent of the number of simulations."""

    def __init__(self, results: Results) -> None:
        self.results = results
        self._rows: dict[tuple[str, str, int], Floats] = {}
        self._hits: dict[str, list[int]] = {}

    @property
    def last(self) -> int:
        """Largest exponent."""
        return int(self.results.sizes["last"])

    @property
    def exponents(self) -> range:
        return range(1, self.last + 1)

    def share(self, setting: Setting, exponent: int) -> Estimate:
        """How often the best move was returned after 2^exponent simulations."""
        measured = self.results[setting.key]
        if setting.key not in self._hits:
            self._hits[setting.key] = measured.total("hits")
        return share(self._hits[setting.key][exponent - 1], measured.trials)

    def shares(self, setting: Setting) -> list[Estimate]:
        """Shares at all exponents."""
        return [self.share(setting, exponent) for exponent in self.exponents]

    def gain(self, a: Setting, b: Setting, exponent: int) -> Estimate:
        """Share of setting ``a`` minus that of ``b``."""
        return share_difference(self.share(a, exponent), self.share(b, exponent))

    def rows(self, setting: Setting, what: str, move: int) -> Floats:
        """Estimates of a move (NaN if unknown) or its shares of the simulations, by chunk and exponent."""
        place = (setting.key, what, move)
        if place not in self._rows:
            measured = self.results[setting.key]
            found = measured.by_chunk(what, str(move))
            if what == "estimates":
                known = measured.by_chunk("known", str(move))
                found = np.divide(found, known, out=np.full_like(found, np.nan), where=known > 0)
            else:
                trials = [min(measured.point.chunk, measured.point.trials - first) for first in sorted(measured.chunks)]
                found = found / np.outer(trials, 2.0 ** np.arange(1, found.shape[1] + 1))
            self._rows[place] = found
        return self._rows[place]

    def at_root(self, setting: Setting, terms: tuple[Term, ...]) -> Estimate:
        """Mean over chunks of a sum over root moves, with Student's interval.

        Chunks are independent, while the moves of one search are not.
        """
        parts = [term.factor * self.rows(setting, term.what, term.move)[:, term.exponent - 1] for term in terms]
        total = np.sum(parts, axis=0)
        return mean(total[~np.isnan(total)])

    def curve(self, setting: Setting, what: str, move: int) -> list[Estimate]:
        """Mean estimate of a move, or its share of the simulations, at all exponents."""
        return [self.at_root(setting, (Term(1.0, what, move, exponent),)) for exponent in self.exponents]

    def speed(self, n: int) -> float:
        """Simulations of SOS(n) per second and worker."""
        measured = self.results[speed_key(n)]
        return float(measured.total("simulations") / measured.total("seconds"))
