"""What a paper claims, and whether it came out here: *reproduced*, *not reproduced* or *undecided*.

A claim is tested through a confidence interval. It is reproduced when the whole interval agrees with it, not reproduced
when the whole interval contradicts it, and undecided when the interval holds values of both kinds: then there were too
few trials. An interval of 95 % is wrong in one case of twenty, so among many claims a few verdicts may be, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ramify.arena.statistics.inference import Interval
from ramify.experiments.estimates import share_difference, shown

REPRODUCED, NOT_REPRODUCED, UNDECIDED = "reproduced", "not reproduced", "undecided"


@dataclass(frozen=True)
class Verdict:
    """Whether a claim came out, and why one says so."""

    status: str
    reason: str


@dataclass(frozen=True)
class Claim:
    """A statement of a paper with its verdict here."""

    sentence: str
    source: str
    verdict: Verdict

    def data(self) -> dict[str, str]:
        """As plain data."""
        return {
            "claim": self.sentence,
            "source": self.source,
            "verdict": self.verdict.status,
            "reason": self.verdict.reason,
        }


def above(interval: Interval, bound: float = 0.0, what: str = "the difference", digits: int = 3) -> Verdict:
    """Claimed: the true value is above the bound."""
    text = _text(interval, what, bound, digits)
    if interval.low > bound:
        return Verdict(REPRODUCED, f"{text}, all of it above {bound:zg}")
    if interval.high <= bound:
        return Verdict(NOT_REPRODUCED, f"{text}, none of it above {bound:zg}")
    return Verdict(UNDECIDED, f"{text}, on both sides of {bound:zg}")


def below(interval: Interval, bound: float = 0.0, what: str = "the difference", digits: int = 3) -> Verdict:
    """Claimed: the true value is below the bound."""
    text = _text(interval, what, bound, digits)
    if interval.high < bound:
        return Verdict(REPRODUCED, f"{text}, all of it below {bound:zg}")
    if interval.low >= bound:
        return Verdict(NOT_REPRODUCED, f"{text}, none of it below {bound:zg}")
    return Verdict(UNDECIDED, f"{text}, on both sides of {bound:zg}")


def within(interval: Interval, low: float, high: float, what: str, digits: int = 3) -> Verdict:
    """Claimed: the true value is between two bounds, as where something makes no difference worth speaking of."""
    text = f"{what} is {shown(interval, digits)}"
    if low <= interval.low and interval.high <= high:
        return Verdict(REPRODUCED, f"{text}, all of it from {low:g} to {high:g}")
    if interval.high < low or interval.low > high:
        return Verdict(NOT_REPRODUCED, f"{text}, all of it outside {low:g} to {high:g}")
    return Verdict(UNDECIDED, f"{text}, partly outside {low:g} to {high:g}")


def nothing(interval: Interval, most: float, what: str = "the difference", digits: int = 3) -> Verdict:
    """Claimed: no significant gain. A significant one fails, however small; none holds if ``most`` would have shown."""
    text = f"{what} is {shown(interval, digits, sign=True)}"
    if interval.low > 0:
        return Verdict(NOT_REPRODUCED, f"{text}: a significant one, if small")
    if interval.high <= most:
        return Verdict(REPRODUCED, f"{text}: none, and at most {most:g}")
    return Verdict(UNDECIDED, f"{text}: perhaps none, perhaps more than {most:g}")


def plateau(intervals: Sequence[Interval], low: float, high: float, what: str) -> Verdict:
    """Claimed: a curve stays between two bounds at every one of these places."""
    return everything([within(interval, low, high, what) for interval in intervals])


def rising(intervals: Sequence[Interval], what: str = "the curve") -> Verdict:
    """Claimed: a curve of shares rises: its end is above its beginning, and no step falls beyond chance."""
    steps = [share_difference(after, before) for before, after in pairwise(intervals)]
    falls = [step for step in steps if step.high < 0]
    whole = share_difference(intervals[-1], intervals[0])
    if falls:
        return Verdict(NOT_REPRODUCED, f"{what} falls by a step of {shown(falls[0], sign=True)}")
    return above(whole, 0.0, f"{what} never falls beyond chance, and its rise from beginning to end")


def agrees(measured: Interval, published: Interval, most: float, what: str = "measured minus published") -> Verdict:
    """Claimed: the published figure. Measured and published differ by at most ``most``, which chance must not hide."""
    return within(share_difference(measured, published), -most, most, what)


def equal(measured: Any, published: Any) -> Verdict:
    """Claimed: exactly this, where nothing is left to chance."""
    if measured == published:
        return Verdict(REPRODUCED, f"measured {measured}, as published")
    return Verdict(NOT_REPRODUCED, f"measured {measured}, published {published}")


def holds(true: bool, reason: str) -> Verdict:
    """Claimed: something that can be seen without chance."""
    return Verdict(REPRODUCED if true else NOT_REPRODUCED, reason)


def everything(verdicts: Sequence[Verdict]) -> Verdict:
    """Claimed: several things at once. All must be reproduced; one that is not is enough to fail."""
    if not verdicts:
        return Verdict(UNDECIDED, "nothing was measured that would tell")
    for status in (NOT_REPRODUCED, UNDECIDED):
        found = [verdict for verdict in verdicts if verdict.status == status]
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            return Verdict(status, found[0].reason + more)
    reasons = list(dict.fromkeys(verdict.reason for verdict in verdicts))
    few = "; ".join(reasons) if len(reasons) <= 3 else f"{reasons[0]}; ...; {reasons[-1]}"
    return Verdict(REPRODUCED, few)


def _text(interval: Interval, what: str, bound: float, digits: int) -> str:
    return f"{what} is {shown(interval, digits, sign=bound == 0.0)}"
