"""Tests of the thesis's statements: a quantity and the range that is claimed for it.

Bounds for words without a number are constants here, and so is the number of simulations where the thesis names none:
both are our reading.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ramify.experiments.framework.claims import Range, Test, unmeasured
from ramify.experiments.papers.tom_2010.claims.quantities import Quantity, RootSum, Share, ShareDifference
from ramify.experiments.papers.tom_2010.settings import Setting
from ramify.experiments.papers.tom_2010.view import ResultView, Term

SAME = 0.1  # "about the same": a difference of at most this
NOTICEABLE = 0.05  # "not noticeable": less than this, about what 1000 trials each can show
FAR = 0.2  # "far", "much", "drastic": a difference above this
ALWAYS = 0.98  # "optimal": a share above this
MUCH = 2.0  # "much more often": more than this many times as often
ALONE = 0.9  # "almost exclusively": more than this share of the simulations
HALF = 7  # exponent at which UCT's share is one half and differences show best
EARLY = 5  # exponent of "few simulations": the end of the first third of the range


@dataclass(frozen=True)
class ClaimTest:
    """A quantity, its claimed range, and its name."""

    quantity: Quantity
    claimed: Range
    what: str

    def test(self, view: ResultView) -> Test:
        """Return the test on the results; without an estimate if the scale is too small."""
        if self.quantity.last > view.last:
            needs = f"needs 2^{self.quantity.last} simulations, and this scale ends at 2^{view.last}"
            return unmeasured(needs)
        return Test(self.what, self.quantity.estimate(view), self.claimed)


ClaimTests = Sequence[ClaimTest]


def each(*parts: ClaimTests) -> list[ClaimTest]:
    """Concatenate tests."""
    return [one for part in parts for one in part]


def better(a: Setting, b: Setting, exponent: int, by: float = 0.0) -> list[ClaimTest]:
    """The first setting returns the best move more often, by more than ``by``."""
    return [_gain(a, b, exponent, (by, math.inf))]


def worse(a: Setting, b: Setting, exponent: int, by: float = 0.0) -> list[ClaimTest]:
    """The first setting returns the best move less often, by more than ``by``."""
    return [_gain(a, b, exponent, (-math.inf, -by))]


def little_worse(a: Setting, b: Setting, exponent: int) -> list[ClaimTest]:
    """The first setting is not far worse: it loses less than FAR."""
    return [_gain(a, b, exponent, (-FAR, math.inf))]


def same(a: Setting, b: Setting, exponent: int) -> list[ClaimTest]:
    """Both return the best move about equally often."""
    return [_gain(a, b, exponent, (-SAME, SAME))]


def no_better(a: Setting, b: Setting, exponent: int) -> list[ClaimTest]:
    """The first setting has no noticeable gain."""
    return [_gain(a, b, exponent, (-math.inf, NOTICEABLE))]


def about(setting: Setting, exponent: int, share: float, most: float = SAME) -> list[ClaimTest]:
    """The share differs from ``share`` by less than ``most``."""
    return [_share(setting, exponent, (share - most, share + most))]


def converged(setting: Setting, exponent: int) -> list[ClaimTest]:
    """The best move is returned (nearly) always."""
    return [_share(setting, exponent, (ALWAYS, math.inf))]


def not_converged(setting: Setting, exponent: int) -> list[ClaimTest]:
    """The best move is not always returned."""
    return [_share(setting, exponent, (-math.inf, ALWAYS))]


def rises(setting: Setting, first: int, last: int, by: float = 0.0) -> list[ClaimTest]:
    """The share at ``last`` exceeds that at ``first`` by more than ``by``."""
    rise = ShareDifference(Share(setting, last), Share(setting, first))
    return [ClaimTest(rise, (by, math.inf), f"the rise from 2^{first} to 2^{last}{_of(setting)}")]


def ahead(
    setting: Setting, move: int, other: int, exponents: Iterable[int], what: str = "estimates", by: float = 0.0
) -> list[ClaimTest]:
    """A move has a higher estimate (or more visits) than another, by more than ``by``, at these exponents."""
    return [_lead(setting, move, other, k, what, (by, math.inf)) for k in exponents]


def behind(
    setting: Setting, move: int, other: int, exponents: Iterable[int], what: str = "estimates"
) -> list[ClaimTest]:
    """A move has a lower estimate (or fewer visits) than another."""
    return [_lead(setting, move, other, k, what, (-math.inf, 0.0)) for k in exponents]


def close(setting: Setting, move: int, other: int, exponents: Iterable[int], most: float) -> list[ClaimTest]:
    """The estimates of two moves differ by less than ``most``."""
    return [_lead(setting, move, other, k, "estimates", (-most, most)) for k in exponents]


def falls_below(setting: Setting, move: int, bound: float, exponent: int) -> list[ClaimTest]:
    """The estimate of a move is below the bound."""
    quantity = RootSum(setting, (Term(1.0, "estimates", move, exponent),))
    return [ClaimTest(quantity, (-math.inf, bound), f"at 2^{exponent} the estimate of move {move}")]


def spent_on(setting: Setting, move: int, last: int, least: float) -> list[ClaimTest]:
    """A move gets more than the share ``least`` of the simulations of the last doubling."""
    quantity = RootSum(setting, _doubling(move, last))
    what = f"the share of move {move} in the simulations from 2^{last - 1} to 2^{last}"
    return [ClaimTest(quantity, (least, math.inf), what)]


def spent_more(setting: Setting, move: int, first: int, last: int) -> list[ClaimTest]:
    """A move's share of one doubling's simulations is much larger than its share of an earlier doubling's."""
    terms = (*_doubling(move, last), *_doubling(move, first, -MUCH))
    what = f"the share of move {move} in the doubling to 2^{last} minus {MUCH:g} times that to 2^{first}"
    return [ClaimTest(RootSum(setting, terms), (0.0, math.inf), what)]


def spent_rather(setting: Setting, move: int, other: int, last: int) -> list[ClaimTest]:
    """A move gets more of the last doubling's simulations than another."""
    terms = (*_doubling(move, last), *_doubling(other, last, -1.0))
    what = f"the share of move {move} minus that of move {other} in the doubling to 2^{last}"
    return [ClaimTest(RootSum(setting, terms), (0.0, math.inf), what)]


def _doubling(move: int, last: int, factor: float = 1.0) -> tuple[Term, ...]:
    """A move's share of the simulations from 2^(last - 1) to 2^last: twice its share of all minus its share before."""
    return (Term(2.0 * factor, "visits", move, last), Term(-factor, "visits", move, last - 1))


def _gain(a: Setting, b: Setting, exponent: int, claimed: Range) -> ClaimTest:
    return ClaimTest(
        ShareDifference(Share(a, exponent), Share(b, exponent)), claimed, f"at 2^{exponent} the gain{_of(a)}"
    )


def _share(setting: Setting, exponent: int, claimed: Range) -> ClaimTest:
    return ClaimTest(Share(setting, exponent), claimed, f"at 2^{exponent} the share{_of(setting)}")


def _lead(setting: Setting, move: int, other: int, exponent: int, what: str, claimed: Range) -> ClaimTest:
    terms = (Term(1.0, what, move, exponent), Term(-1.0, what, other, exponent))
    noun = "estimate" if what == "estimates" else "share of simulations"
    return ClaimTest(
        RootSum(setting, terms), claimed, f"at 2^{exponent} the {noun} of move {move} minus that of move {other}"
    )


def _of(setting: Setting) -> str:
    if setting.errors:
        return f" (μ = {setting.mu})"
    return f" (SOS({setting.n}))" if setting.n != 10 else ""
