"""What came out, as the figures and claims ask for it."""

from __future__ import annotations

import math
from collections.abc import Callable

from ramify.arena.statistics.inference import Interval
from ramify.experiments.claims import UNDECIDED, Verdict, everything
from ramify.experiments.estimates import share, share_difference
from ramify.experiments.experiment import Results
from ramify.experiments.switches.settings import Setting, speed_key

MOST = 16  # the largest exponent of the thesis


class TooSmallError(Exception):
    """Asked for more simulations than this scale has."""


class View:
    """Results by setting and by the exponent of the number of simulations."""

    def __init__(self, results: Results) -> None:
        self.results = results

    @property
    def last(self) -> int:
        """The largest exponent."""
        return int(self.results.sizes["last"])

    @property
    def exponents(self) -> range:
        """All of them."""
        return range(1, self.last + 1)

    def share(self, setting: Setting, exponent: int, confidence: float = 0.95) -> Interval:
        """How often the best move was returned after 2^exponent simulations."""
        if exponent > self.last:
            raise TooSmallError(exponent)
        measured = self.results[setting.key]
        return share(measured.total("hits")[exponent - 1], measured.trials, confidence)

    def shares(self, setting: Setting, confidence: float = 0.95) -> list[Interval]:
        """The same for all exponents."""
        return [self.share(setting, exponent, confidence) for exponent in self.exponents]

    def gain(self, a: Setting, b: Setting, exponent: int) -> Interval:
        """How much more often the one setting returned it than the other."""
        return share_difference(self.share(a, exponent), self.share(b, exponent))

    def visits(self, setting: Setting, move: int) -> list[float]:
        """Simulations of a move at the root, in the mean over trials, for all exponents."""
        measured = self.results[setting.key]
        return [number / measured.trials for number in measured.total("visits", str(move))]

    def estimates(self, setting: Setting, move: int) -> list[float]:
        """What a move was taken to be worth, in the mean over trials in which something was known of it."""
        measured = self.results[setting.key]
        sums, known = measured.total("estimates", str(move)), measured.total("known", str(move))
        return [total / count if count else math.nan for total, count in zip(sums, known, strict=True)]

    def speed(self, n: int) -> float:
        """Simulations of SOS(n) a second by one worker."""
        measured = self.results[speed_key(n)]
        return float(measured.total("simulations") / measured.total("seconds"))

    def judge(self, test: Callable[[View], list[Verdict]]) -> Verdict:
        """A verdict; undecided where this scale is too small."""
        try:
            found = test(self)
        except TooSmallError as error:
            return Verdict(UNDECIDED, f"needs 2^{error} simulations, and this scale ends at 2^{self.last}")
        return everything(found)


class Asked(View):
    """Knows nothing, but remembers which settings a test asks about."""

    def __init__(self) -> None:
        super().__init__(Results({}, {"last": MOST}, "", 0))
        self.settings: list[Setting] = []

    def share(self, setting: Setting, exponent: int, confidence: float = 0.95) -> Interval:
        """Anything."""
        del exponent, confidence
        self.settings.append(setting)
        return Interval(0.5, 0.4, 0.6)

    def visits(self, setting: Setting, move: int) -> list[float]:
        """Anything."""
        del move
        self.settings.append(setting)
        return [0.0] * MOST

    estimates = visits

    def speed(self, n: int) -> float:
        """Anything; it has a point of its own."""
        return float(n)
