"""What a paper says, or we do, and whether it came out: a claim, its tests, and the verdict they give.

A test compares an estimate with the range that is claimed for it. Claims of a paper are *reproduced*, *not reproduced*
or *undecided*; claims of ours hold, do not hold, or are undecided, and never count as reproduced.

A verdict is wrong with a probability of at most ``ERROR``, whatever the truth and however many tests it stands on:

- A claim comes out when every test passes, each with its interval of 95 %. If the claim is false, one of the tests is,
  and passes in at most 2.5 % (the intersection-union test: R. L. Berger, Technometrics 24, 1982, 295-300).
- It fails when one of k tests does, with an interval of 1 - 0.05 / k. If the claim is true, all tests are, and any of
  them fails in at most 2.5 % together (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ramify.experiments.framework.estimates import (
    CONFIDENCE,
    NO_ESTIMATE,
    Estimate,
    format_interval,
    share,
    share_difference,
)
from ramify.old_names import old_attributes
from ramify.statistics.inference import Interval, holm

ERROR = (1 - CONFIDENCE) / 2  # of a verdict: one side of an interval
REPRODUCED, NOT_REPRODUCED, UNDECIDED = "reproduced", "not reproduced", "undecided"
HOLDS, DOES_NOT_HOLD = "holds", "does not hold"
MAX_REASONS = 3  # reasons that a verdict gives in full

Range = tuple[float, float]


@dataclass(frozen=True)
class Source:
    """Where a statement stands, and what it says there, in our words."""

    paper: str  # authors and year
    section: str
    says: str
    figure: str = ""  # or table; empty where the text speaks of none

    @property
    def place(self) -> str:
        """Figure and section."""
        return ", ".join(one for one in (self.figure, f"section {self.section}") if one)


OURS = None  # the source of a claim that no paper makes


@dataclass(frozen=True)
class Test:
    """That the true value of an estimate is in the range ``claimed``.

    It passes if the whole interval is inside, and fails if all of it is outside the range ``tolerated``, which is the
    same unless told otherwise.
    """

    __test__ = False  # no test of pytest's

    quantity: str
    estimate: Estimate
    claimed: Range
    tolerated: Range | None = None
    digits: int = 3
    missing: str = ""  # why there is no estimate

    def passes(self) -> bool:
        """Whether the interval agrees."""
        low, high = self.claimed
        return (low == -math.inf or self.estimate.low > low) and (high == math.inf or self.estimate.high < high)

    def fails(self, tests: int = 1) -> bool:
        """Whether the interval contradicts, as one of so many tests."""
        low, high = self.tolerated or self.claimed
        found = self.corrected_interval(tests)
        return found.high <= low or found.low >= high

    def corrected_interval(self, tests: int) -> Interval:
        """The interval by which one of so many tests may fail."""
        return self.estimate.at(1 - (1 - CONFIDENCE) / tests)

    def result_text(self, tests: int = 1) -> str:
        """What came out."""
        if self.missing:
            return self.missing
        sign = 0.0 in self.claimed or self.claimed[0] == -self.claimed[1]
        text = f"{self.quantity} is {format_interval(self.corrected_interval(tests), self.digits, sign=sign)}"
        return text if tests == 1 else f"{text} (interval of {100 - 5 / tests:.4g} %)"

    @property
    def claimed_text(self) -> str:
        """What was claimed."""
        return _range_text(self.claimed)

    @property
    def tolerated_text(self) -> str:
        """What a test that fails is not."""
        return _range_text(self.tolerated or self.claimed)


def _range_text(given: Range) -> str:
    low, high = given
    if not math.isfinite(high):
        return f"above {low:zg}"
    return f"below {high:zg}" if not math.isfinite(low) else f"from {low:zg} to {high:zg}"


@dataclass(frozen=True)
class Verdict:
    """Whether a claim came out, None for undecided; why; and the estimates it stands on."""

    holds: bool | None
    reason: str
    estimates: Sequence[Estimate] = ()


@dataclass(frozen=True)
class Claim:
    """A statement as it is tested, where it stands, and the verdict."""

    sentence: str
    source: Source | None
    verdict: Verdict
    attempts: str = ""  # where it does not come out: what was done to find out why
    family: str = ""  # the study together with whose other verdicts this one was corrected

    @property
    def ours(self) -> bool:
        """Whether no paper says it."""
        return self.source is None

    @property
    def status(self) -> str:
        """The verdict in words."""
        if self.verdict.holds is None:
            return UNDECIDED
        words = (HOLDS, DOES_NOT_HOLD) if self.ours else (REPRODUCED, NOT_REPRODUCED)
        return words[0] if self.verdict.holds else words[1]

    @property
    def reason(self) -> str:
        """Why, and what was tried where it failed."""
        tried = f". Tried: {self.attempts}" if self.attempts and self.verdict.holds is False else ""
        return self.verdict.reason + tried

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        one = self.source
        source = {"paper": one.paper, "place": one.place, "says": one.says} if one else None
        return {"claim": self.sentence, "source": source, "verdict": self.status, "reason": self.reason}


def above(estimate: Estimate, bound: float = 0.0, what: str = "the difference", digits: int = 3) -> Test:
    """Claimed: the true value is above the bound."""
    return Test(what, estimate, (bound, math.inf), digits=digits)


def below(estimate: Estimate, bound: float = 0.0, what: str = "the difference", digits: int = 3) -> Test:
    """Claimed: the true value is below the bound."""
    return Test(what, estimate, (-math.inf, bound), digits=digits)


def within(estimate: Estimate, low: float, high: float, what: str, digits: int = 3) -> Test:
    """Claimed: the true value is between two bounds, as where something makes no difference worth speaking of."""
    return Test(what, estimate, (low, high), digits=digits)


def no_gain(estimate: Estimate, most: float, what: str = "the difference", digits: int = 3) -> Test:
    """Claimed: no significant gain. A significant one fails, however small; none passes if ``most`` would show."""
    return Test(what, estimate, (-math.inf, most), (-math.inf, 0.0), digits)


def no_fall(estimate: Estimate, what: str = "the step") -> Test:
    """Claimed: no fall. One that is significant fails; that there is none need not be shown."""
    return Test(what, estimate, (-math.inf, math.inf), (0.0, math.inf))


def plateau(estimates: Sequence[Estimate], low: float, high: float, what: str) -> list[Test]:
    """Claimed: a curve stays between two bounds at every one of these places."""
    return [within(estimate, low, high, what) for estimate in estimates]


def rising(estimates: Sequence[Estimate], what: str = "the curve") -> list[Test]:
    """Claimed: a curve of shares rises: its end is above its beginning, and no step falls beyond chance."""
    steps = [share_difference(after, before) for before, after in pairwise(estimates)]
    whole = share_difference(estimates[-1], estimates[0])
    return [above(whole, 0.0, f"{what}'s rise"), *(no_fall(step, f"a step of {what}") for step in steps)]


def matches_published(
    measured: Estimate, published: Estimate, most: float, what: str = "measured minus published"
) -> Test:
    """Claimed: the published figure. Measured and published differ by at most ``most``, which chance must not hide."""
    return within(share_difference(measured, published), -most, most, what)


def unmeasured(reason: str) -> Test:
    """A test for which there is nothing, as where a scale is too small."""
    return Test("", NO_ESTIMATE, (0.0, math.inf), missing=reason)


def judge(*tests: Test) -> Verdict:
    """Claimed: all of these. The verdict on them together, as the module says."""
    estimates = tuple(test.estimate for test in tests)
    if not tests:
        return Verdict(None, "nothing was measured that would tell")
    count = len(tests)
    failed = [test for test in tests if test.fails(count)]
    if failed:
        first = failed[0]
        return Verdict(False, f"{first.result_text(count)}, not {first.tolerated_text}{_more(failed)}", estimates)
    open_ = [test for test in tests if not test.passes()]
    if open_:
        first = open_[0]
        asked = "" if first.missing else f", asked for {first.claimed_text}"
        return Verdict(None, f"{first.result_text()}{asked}{_more(open_)}", estimates)
    told = [f"{test.result_text()}, {test.claimed_text}" for test in tests if test.claimed != (-math.inf, math.inf)]
    few = "; ".join(told) if len(told) <= MAX_REASONS else f"{told[0]}; ...; {told[-1]} ({len(told)} tests)"
    return Verdict(True, few, estimates)


def exactly(measured: Sequence[str], published: str) -> Verdict:
    """Claimed: exactly this in every trial. It fails where no trial gave it, and is undecided where some did."""
    hits = sum(one == published for one in measured)
    others = ", ".join(dict.fromkeys(one for one in measured if one != published))
    holds = None if 0 < hits < len(measured) or not measured else hits > 0
    reason = f"{published} in {hits} of {len(measured)} trials" + (f", otherwise {others}" if others else "")
    return Verdict(holds, reason, (share(hits, len(measured)),) if measured else ())


def judge_family(tests: Sequence[Test]) -> list[Verdict]:
    """Verdicts on each of a family of tests against one bound, by Holm's correction for their number.

    With a probability of at least 95 % none of them is wrong.
    """
    bounds = [test.claimed[0] if math.isfinite(test.claimed[0]) else test.claimed[1] for test in tests]
    adjusted = holm([test.estimate.p_value(bound) for test, bound in zip(tests, bounds, strict=True)])
    verdicts = []
    for test, bound, p in zip(tests, bounds, adjusted, strict=True):
        agrees = bool((test.estimate.estimate > bound) == math.isfinite(test.claimed[0]))
        value = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
        verdicts.append(
            Verdict(agrees if p < 1 - CONFIDENCE else None, f"{test.result_text()}, {value}", (test.estimate,))
        )
    return verdicts


def all_hold(verdicts: Sequence[Verdict]) -> Verdict:
    """Claimed: several of a family that was corrected already. All must hold; one that does not is enough to fail."""
    estimates = tuple(one for verdict in verdicts for one in verdict.estimates)
    for outcome in (False, None):
        found = [verdict for verdict in verdicts if verdict.holds is outcome]
        if found:
            return Verdict(outcome, found[0].reason + _more(found), estimates)
    return Verdict(True, "; ".join(verdict.reason for verdict in verdicts), estimates)


def _more(found: Sequence[object]) -> str:
    return f" (and {len(found) - 1} more)" if len(found) > 1 else ""


__getattr__ = old_attributes(__name__)
