"""Statements of the thesis: place, paraphrase, and tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ramify.experiments.framework.claims import Claim, Source, judge
from ramify.experiments.papers.tom_2010.claims.claim_tests import ClaimTests, each
from ramify.experiments.papers.tom_2010.figures import with_false_updates
from ramify.experiments.papers.tom_2010.graphs import Place, place_name
from ramify.experiments.papers.tom_2010.paper import THESIS
from ramify.experiments.papers.tom_2010.settings import RAVE_MAX, Errors, Setting
from ramify.experiments.papers.tom_2010.view import ResultView


@dataclass(frozen=True)
class Statement:
    """A statement about a figure or in a section, and its tests. Without a section it is our own claim."""

    place: Place  # the figure, or the section if it refers to none
    section: str
    says: str
    tested: str
    tests: ClaimTests
    attempts: str = ""

    @property
    def settings(self) -> list[Setting]:
        """Settings that must be measured for it."""
        return list(dict.fromkeys(setting for one in self.tests for setting in one.quantity.settings))

    @property
    def source(self) -> Source | None:
        """Its place, or None if it is our own claim."""
        if not self.section:
            return None
        figure = place_name(self.place) if isinstance(self.place, int) else ""
        return Source(THESIS, self.section, self.says, figure)

    def claim(self, view: ResultView) -> Claim:
        """Judge the statement."""
        return Claim(self.tested, self.source, judge(*(one.test(view) for one in self.tests)), self.attempts)


def ours(place: Place, tested: str, tests: ClaimTests) -> Statement:
    """Return our own claim about a figure."""
    return Statement(place, "", "", tested, tests)


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
