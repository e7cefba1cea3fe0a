"""Claims, their tests and verdicts.

A test compares an estimate with the claimed range. A paper's claim is *reproduced*, *not reproduced* or *undecided*;
our own claims *hold*, *do not hold* or are *undecided*, and never count as reproduced.

A verdict is wrong with probability at most ``ERROR``, however many tests a claim has:

- A claim passes when every test passes, each with its 95 % interval. If the claim is false, at least one test is, and
  that one passes with probability at most 2.5 % (intersection-union test: R. L. Berger, Technometrics 24, 1982,
  295-300).
- It fails when one of k tests fails with an interval of 1 - 0.05 / k. If the claim is true, all tests are, and the
  probability that any of them fails is at most 2.5 % (Bonferroni).
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
from ramify.old_names import old_attributes, old_fields, old_members
from ramify.statistics.inference import Interval, holm

ERROR = (1 - CONFIDENCE) / 2  # error probability of a verdict: one tail of an interval
REPRODUCED, NOT_REPRODUCED, UNDECIDED = "reproduced", "not reproduced", "undecided"
HOLDS, DOES_NOT_HOLD = "holds", "does not hold"
EFFECT, NULL = "effect", "null"
MAX_REASONS = 3  # a verdict with more tests prints only the first and the last

Range = tuple[float, float]


@dataclass(frozen=True)
class Source:
    """A statement of a paper: its place, and a paraphrase. Built-in ones are data (``statements.py``)."""

    paper: str  # authors and year
    section: str
    says: str
    figure: str = ""  # or table; empty if the text refers to none
    kind: str = EFFECT  # NULL: the paper says that something makes no (clear) difference
    id: str = ""  # within the paper
    untested: str = ""  # why no claim tests it
    bounds: str = ""  # how our bounds were chosen, if not before the first trials

    @property
    def place(self) -> str:
        """Figure or table, and section."""
        return ", ".join(one for one in (self.figure, f"section {self.section}") if one)

    @property
    def key(self) -> tuple[str, str]:
        """What two claims about the same statement share."""
        return self.paper, self.id or f"{self.place}: {self.says}"


OURS = None  # source of our own claims


@old_members(told="result_text", asked="claimed_text")
@old_fields(what="quantity")
@dataclass(frozen=True)
class Test:
    """Tests whether the true value lies in ``claimed``.

    Passes if the whole interval is inside ``claimed``; fails if it is entirely outside ``tolerated`` (default:
    ``claimed``).
    """

    __test__ = False  # not a pytest test

    quantity: str
    estimate: Estimate
    claimed: Range
    tolerated: Range | None = None
    digits: int = 3
    missing: str = ""  # why there is no estimate

    def passes(self) -> bool:
        low, high = self.claimed
        return (low == -math.inf or self.estimate.low > low) and (high == math.inf or self.estimate.high < high)

    def fails(self, tests: int = 1) -> bool:
        """Whether the interval, corrected for ``tests`` tests, lies entirely outside ``tolerated``."""
        low, high = self.tolerated or self.claimed
        found = self.corrected_interval(tests)
        return found.high <= low or found.low >= high

    def corrected_interval(self, tests: int) -> Interval:
        """Interval with Bonferroni's correction for ``tests`` tests."""
        return self.estimate.at(1 - (1 - CONFIDENCE) / tests)

    def result_text(self, tests: int = 1) -> str:
        if self.missing:
            return self.missing
        sign = 0.0 in self.claimed or self.claimed[0] == -self.claimed[1]
        text = f"{self.quantity} is {format_interval(self.corrected_interval(tests), self.digits, sign=sign)}"
        return text if tests == 1 else f"{text} ({100 - 5 / tests:.4g} % interval)"

    @property
    def claimed_text(self) -> str:
        return _range_text(self.claimed)

    @property
    def tolerated_text(self) -> str:
        return _range_text(self.tolerated or self.claimed)


def _range_text(limits: Range) -> str:
    low, high = limits
    if not math.isfinite(high):
        return f"above {low:zg}"
    return f"below {high:zg}" if not math.isfinite(low) else f"from {low:zg} to {high:zg}"


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds (None: undecided), the reason, and the estimates behind it."""

    holds: bool | None
    reason: str
    estimates: Sequence[Estimate] = ()


@old_members(data="to_dict")
@old_fields(tried="attempts")
@dataclass(frozen=True)
class Claim:
    """A statement as it is tested, its source and the verdict."""

    sentence: str
    source: Source | None
    verdict: Verdict
    attempts: str = ""  # what was tried to explain a failure; printed only if the claim fails
    family: str = ""  # study whose verdicts were corrected together (Holm), this one among them
    reading: str = ""  # of the statement; only the main one, which is empty, decides the statement

    @property
    def ours(self) -> bool:
        """Whether the claim is our own, not a paper's."""
        return self.source is None

    @property
    def status(self) -> str:
        if self.verdict.holds is None:
            return UNDECIDED
        words = (HOLDS, DOES_NOT_HOLD) if self.ours else (REPRODUCED, NOT_REPRODUCED)
        return words[0] if self.verdict.holds else words[1]

    @property
    def reason(self) -> str:
        """Reason of the verdict; for a failed claim also what was tried."""
        tried = f". Tried: {self.attempts}" if self.attempts and self.verdict.holds is False else ""
        return self.verdict.reason + tried

    def to_dict(self) -> dict[str, Any]:
        one = self.source
        source = {"paper": one.paper, "place": one.place, "says": one.says, "kind": one.kind} if one else None
        found = {"claim": self.sentence, "source": source, "verdict": self.status, "reason": self.reason}
        return found | ({"reading": self.reading} if self.reading else {})


def above(estimate: Estimate, bound: float = 0.0, what: str = "the difference", digits: int = 3) -> Test:
    """Claim: the true value is above ``bound``."""
    return Test(what, estimate, (bound, math.inf), digits=digits)


def below(estimate: Estimate, bound: float = 0.0, what: str = "the difference", digits: int = 3) -> Test:
    """Claim: the true value is below ``bound``."""
    return Test(what, estimate, (-math.inf, bound), digits=digits)


def within(estimate: Estimate, low: float, high: float, what: str, digits: int = 3) -> Test:
    """Claim: the true value lies between two bounds, e.g. a difference that is negligible."""
    return Test(what, estimate, (low, high), digits=digits)


def equivalent(estimate: Estimate, margin: float, what: str, around: float = 0.5, digits: int = 3) -> Test:
    """Claim: no difference that matters. The true value is within ``margin`` of ``around``.

    Two one-sided tests (Schuirmann 1987): passes only if the whole interval is within the margin.
    """
    return within(estimate, around - margin, around + margin, what, digits)


def no_gain(estimate: Estimate, most: float, what: str = "the difference", digits: int = 3) -> Test:
    """Claim: no significant gain.

    Fails on any significant gain, however small. Passes only if a gain of ``most`` would have been detected.
    """
    return Test(what, estimate, (-math.inf, most), (-math.inf, 0.0), digits)


def no_fall(estimate: Estimate, what: str = "the step") -> Test:
    """Claim: no significant fall. A fall need not be ruled out for the test to pass."""
    return Test(what, estimate, (-math.inf, math.inf), (0.0, math.inf))


def plateau(estimates: Sequence[Estimate], low: float, high: float, what: str) -> list[Test]:
    """Claim: a curve stays between two bounds at each of these estimates."""
    return [within(estimate, low, high, what) for estimate in estimates]


def rising(estimates: Sequence[Estimate], what: str = "the curve") -> list[Test]:
    """Claim: a curve of shares rises. Its last share is above its first, and no step falls significantly."""
    steps = [share_difference(after, before) for before, after in pairwise(estimates)]
    whole = share_difference(estimates[-1], estimates[0])
    return [above(whole, 0.0, f"{what}'s rise"), *(no_fall(step, f"a step of {what}") for step in steps)]


def matches_published(
    measured: Estimate, published: Estimate, most: float, what: str = "measured minus published"
) -> Test:
    """Claim: measured and published differ by at most ``most``, both intervals taken into account."""
    return within(share_difference(measured, published), -most, most, what)


def unmeasured(reason: str) -> Test:
    """Return a test without an estimate, e.g. for a budget that the scale does not reach."""
    return Test("", NO_ESTIMATE, (0.0, math.inf), missing=reason)


def judge(*tests: Test) -> Verdict:
    """Combine the tests of one claim into a verdict (see module)."""
    estimates = tuple(test.estimate for test in tests)
    if not tests:
        return Verdict(None, "nothing relevant was measured")
    count = len(tests)
    failed = [test for test in tests if test.fails(count)]
    if failed:
        first = failed[0]
        return Verdict(False, f"{first.result_text(count)}, not {first.tolerated_text}{_more(failed)}", estimates)
    open_ = [test for test in tests if not test.passes()]
    if open_:
        first = open_[0]
        claimed = "" if first.missing else f", claimed {first.claimed_text}"
        return Verdict(None, f"{first.result_text()}{claimed}{_more(open_)}", estimates)
    texts = [f"{test.result_text()}, {test.claimed_text}" for test in tests if test.claimed != (-math.inf, math.inf)]
    reason = "; ".join(texts) if len(texts) <= MAX_REASONS else f"{texts[0]}; ...; {texts[-1]} ({len(texts)} tests)"
    return Verdict(True, reason, estimates)


def exactly(measured: Sequence[str], published: str) -> Verdict:
    """Claim: every trial gives exactly ``published``. Fails if no trial does; undecided if only some do."""
    hits = sum(one == published for one in measured)
    others = ", ".join(dict.fromkeys(one for one in measured if one != published))
    holds = None if 0 < hits < len(measured) or not measured else hits > 0
    reason = f"{published} in {hits} of {len(measured)} trials" + (f", otherwise {others}" if others else "")
    return Verdict(holds, reason, (share(hits, len(measured)),) if measured else ())


def judge_family(tests: Sequence[Test]) -> list[Verdict]:
    """Judge each of a family of one-sided tests, with Holm's correction for their number.

    The probability that all these verdicts are right is at least 95 %.
    """
    bounds = [test.claimed[0] if math.isfinite(test.claimed[0]) else test.claimed[1] for test in tests]
    adjusted = holm([test.estimate.p_value(bound) for test, bound in zip(tests, bounds, strict=True)])
    verdicts = []
    for test, bound, p in zip(tests, bounds, adjusted, strict=True):
        holds = bool((test.estimate.estimate > bound) == math.isfinite(test.claimed[0]))
        value = "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
        verdicts.append(
            Verdict(holds if p < 1 - CONFIDENCE else None, f"{test.result_text()}, {value}", (test.estimate,))
        )
    return verdicts


def all_hold(verdicts: Sequence[Verdict]) -> Verdict:
    """Combine verdicts of ``judge_family`` into one claim: all must hold, and one failure refutes it."""
    estimates = tuple(one for verdict in verdicts for one in verdict.estimates)
    for outcome in (False, None):
        found = [verdict for verdict in verdicts if verdict.holds is outcome]
        if found:
            return Verdict(outcome, found[0].reason + _more(found), estimates)
    return Verdict(True, "; ".join(verdict.reason for verdict in verdicts), estimates)


def _more(found: Sequence[object]) -> str:
    return f" (and {len(found) - 1} more)" if len(found) > 1 else ""


__getattr__ = old_attributes(__name__)
