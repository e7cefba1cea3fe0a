"""Verdicts on sentences such as "better in five of the six games"."""

from __future__ import annotations

from collections.abc import Sequence

from ramify.experiments.framework.claims import Test, Verdict


def at_least(least: int, cases: Sequence[Sequence[Test]], *, either: bool = False) -> Verdict:
    """Claim: at least ``least`` of the cases are true. A case needs all of its tests, or one of them if ``either``.

    A case without tests is open. All intervals are corrected for the number of tests (Bonferroni), so the verdict is
    wrong with probability at most 2.5 %.
    """
    count = max(1, sum(len(case) for case in cases))
    found = [_holds(case, count, either=either) for case in cases]
    held, failed = found.count(True), found.count(False)
    reason = f"{held} of {len(cases)} cases hold, {failed} do not, the others are open; claimed at least {least}"
    holds = True if held >= least else False if len(cases) - failed < least else None
    return Verdict(holds, reason, tuple(test.estimate for case in cases for test in case))


def _holds(case: Sequence[Test], count: int, *, either: bool) -> bool | None:
    passes = [_passes(test, count) for test in case]
    fails = [not test.missing and test.fails(count) for test in case]
    if case and (any(passes) if either else all(passes)):
        return True
    return False if case and (all(fails) if either else any(fails)) else None


def _passes(test: Test, count: int) -> bool:
    low, high = test.claimed
    interval = test.corrected_interval(count)
    return not test.missing and interval.low > low and interval.high < high
