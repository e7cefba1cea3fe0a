"""Quantities that are tested: shares, their differences, and sums over root moves.

Each is a weighted sum of *atoms*, so a test can be analysed: the settings it needs, the largest exponent, and its value
on made-up results.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from ramify.experiments.framework.estimates import Estimate, share_difference
from ramify.experiments.papers.tom_2010.settings import Setting
from ramify.experiments.papers.tom_2010.view import ResultView, Term


@dataclass(frozen=True)
class Atom:
    """One number of the results: a share of best moves, or a root move's ``visits`` (a share) or ``estimates``."""

    setting: Setting
    what: str  # share, visits or estimates
    exponent: int
    move: int | None = None


class Quantity(ABC):
    """A weighted sum of atoms, estimated with an interval."""

    @property
    @abstractmethod
    def atoms(self) -> list[tuple[float, Atom]]:
        """Its atoms with their weights."""

    @abstractmethod
    def estimate(self, view: ResultView) -> Estimate:
        """Estimate it from the results."""

    @property
    def settings(self) -> list[Setting]:
        """Settings that must be measured for it."""
        return list(dict.fromkeys(atom.setting for _, atom in self.atoms))

    @property
    def last(self) -> int:
        """Largest exponent it needs."""
        return max(atom.exponent for _, atom in self.atoms)


@dataclass(frozen=True)
class Share(Quantity):
    """How often a setting returns the best move."""

    setting: Setting
    exponent: int

    @property
    def atoms(self) -> list[tuple[float, Atom]]:
        return [(1.0, Atom(self.setting, "share", self.exponent))]

    def estimate(self, view: ResultView) -> Estimate:
        """Share with Wilson's interval."""
        return view.share(self.setting, self.exponent)


@dataclass(frozen=True)
class ShareDifference(Quantity):
    """One share minus another."""

    a: Share
    b: Share

    @property
    def atoms(self) -> list[tuple[float, Atom]]:
        return [*self.a.atoms, *((-factor, atom) for factor, atom in self.b.atoms)]

    def estimate(self, view: ResultView) -> Estimate:
        """Difference with Newcombe's interval."""
        return share_difference(self.a.estimate(view), self.b.estimate(view))


@dataclass(frozen=True)
class RootSum(Quantity):
    """A sum over root moves of the same searches: of estimates, and of visits as shares of all simulations."""

    setting: Setting
    terms: tuple[Term, ...]

    @property
    def atoms(self) -> list[tuple[float, Atom]]:
        return [(term.factor, Atom(self.setting, term.what, term.exponent, term.move)) for term in self.terms]

    def estimate(self, view: ResultView) -> Estimate:
        """Mean with Student's interval over chunks of searches."""
        return view.at_root(self.setting, self.terms)
