"""Statements of the thesis and their tests. What they say is in ``statements.toml``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ramify.experiments.framework.claims import Claim, Source, judge
from ramify.experiments.framework.statements import statements
from ramify.experiments.papers.tom_2010.claims.claim_tests import ClaimTests, each
from ramify.experiments.papers.tom_2010.figures import with_false_updates
from ramify.experiments.papers.tom_2010.graphs import Place
from ramify.experiments.papers.tom_2010.settings import RAVE_MAX, Errors, Setting
from ramify.experiments.papers.tom_2010.view import ResultView


@dataclass(frozen=True)
class Statement:
    """A statement about a figure or in a section, and its tests. Without an id it is our own claim."""

    place: Place  # the figure, or the section if it refers to none
    id: str
    tested: str
    tests: ClaimTests
    attempts: str = ""
    reading: str = ""  # of the statement, other than the main one

    @property
    def settings(self) -> list[Setting]:
        """Settings that must be measured for it."""
        return list(dict.fromkeys(setting for one in self.tests for setting in one.quantity.settings))

    @property
    def source(self) -> Source | None:
        """What the thesis says, or None if it is our own claim."""
        return statements("tom_2010")[self.id] if self.id else None

    def claim(self, view: ResultView) -> Claim:
        """Judge the statement."""
        verdict = judge(*(one.test(view) for one in self.tests))
        return Claim(self.tested, self.source, verdict, self.attempts, reading=self.reading)


def ours(place: Place, tested: str, tests: ClaimTests) -> Statement:
    """Return our own claim about a figure."""
    return Statement(place, "", tested, tests)


def at_mus(
    errors: Errors, other: Errors, mus: Sequence[float], exponent: int, test: Callable[..., ClaimTests]
) -> ClaimTests:
    """Compare RAVE under one error model with RAVE under another, at the same probabilities."""
    return each(*(test(with_false_updates(errors, mu), with_false_updates(other, mu), exponent) for mu in mus))


def maximum(errors: Errors, mus: Sequence[float], exponent: int, test: Callable[..., ClaimTests]) -> ClaimTests:
    """Compare RAVE-max with RAVE under one error model."""
    return each(
        *(test(with_false_updates(errors, mu, RAVE_MAX), with_false_updates(errors, mu), exponent) for mu in mus)
    )
