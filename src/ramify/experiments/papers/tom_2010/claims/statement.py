"""A statement of the thesis: where it stands, what it says there, and how it is tested here."""

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
    """What is said of a figure (or in a section), and the tests of it; without a section it is ours."""

    place: Place  # the figure, or the section that speaks of none
    section: str
    says: str
    tested: str
    asking: ClaimTests
    tried: str = ""

    @property
    def settings(self) -> list[Setting]:
        """The settings that must be measured for it."""
        return list(dict.fromkeys(setting for one in self.asking for setting in one.quantity.settings))

    @property
    def source(self) -> Source | None:
        """Where it stands; None for ours."""
        if not self.section:
            return None
        figure = place_name(self.place) if isinstance(self.place, int) else ""
        return Source(THESIS, self.section, self.says, figure)

    def claim(self, view: ResultView) -> Claim:
        """With a verdict."""
        return Claim(self.tested, self.source, judge(*(one.test(view) for one in self.asking)), self.tried)


def ours(place: Place, tested: str, asking: ClaimTests) -> Statement:
    """A claim of ours about a figure."""
    return Statement(place, "", "", tested, asking)


def at_mus(
    errors: Errors, other: Errors, mus: Sequence[float], exponent: int, test: Callable[..., ClaimTests]
) -> ClaimTests:
    """RAVE under one model of errors against RAVE under another, at the same probabilities."""
    return each(*(test(with_false_updates(errors, mu), with_false_updates(other, mu), exponent) for mu in mus))


def maximum(errors: Errors, mus: Sequence[float], exponent: int, test: Callable[..., ClaimTests]) -> ClaimTests:
    """RAVE-max against RAVE under one model of errors."""
    return each(
        *(test(with_false_updates(errors, mu, RAVE_MAX), with_false_updates(errors, mu), exponent) for mu in mus)
    )
