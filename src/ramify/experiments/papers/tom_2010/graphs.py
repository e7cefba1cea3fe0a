"""The three kinds of graphs of the study: general performance, specific performance, performance differences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

from ramify.experiments.figures.curves import Curve, Panel, panels
from ramify.experiments.framework.findings import DataTable
from ramify.experiments.papers.tom_2010.settings import Setting
from ramify.experiments.papers.tom_2010.view import ResultView
from ramify.statistics.inference import Interval

X = "simulations"
SHARE = "share of best moves"
TABLE_EXPONENTS = (3, 5, 7, 9, 10, 12, 14, 16)
READING_EXPONENTS = (13, 15)  # readings differ by one doubling

Place = int | str  # k of figure 5.k, or a section that has no figure


def place_name(place: Place) -> str:
    """Return the thesis's name of a place, e.g. ``Figure 5.7``."""
    return f"Figure 5.{place}" if isinstance(place, int) else f"Section {place}"


@dataclass(frozen=True)
class Graph(ABC):
    """A figure of the thesis: its number, and what it shows."""

    place: Place
    words: str
    assumed: str = field(default="", kw_only=True)  # our choice where the thesis does not say
    reading: str = field(default="", kw_only=True)  # of the thesis, other than the main one

    @property
    @abstractmethod
    def settings(self) -> Sequence[Setting]:
        """Settings that must be measured for it."""

    @abstractmethod
    def panel(self, view: ResultView) -> Panel:
        """Return the figure."""

    @abstractmethod
    def table(self, view: ResultView) -> DataTable:
        """Return the figure's numbers."""

    @property
    def name(self) -> str:
        return place_name(self.place)

    @property
    def file(self) -> str:
        """Name of its picture."""
        name = f"{self.place:02d}" if isinstance(self.place, int) else self.place
        return f"{name}-{self.reading.replace(' ', '-').lower()}" if self.reading else name

    @property
    def title(self) -> str:
        """Name, topic and game."""
        return f"{self.name}: {self.words}" + ("" if "SOS" in self.words else ", SOS(10)")

    def draw(self, view: ResultView) -> bytes:
        """Return the figure as PNG."""
        return panels([self.panel(view)])

    def _budgets(self, view: ResultView) -> list[int]:
        return [2**exponent for exponent in view.exponents]

    def _shown(self, view: ResultView) -> list[int]:
        shown = (*TABLE_EXPONENTS, *READING_EXPONENTS) if self.reading else TABLE_EXPONENTS
        return sorted({*(one for one in shown if one <= view.last), view.last})

    def _headings(self, view: ResultView) -> list[str]:
        return ["", *(f"2^{one}" for one in self._shown(view))]


@dataclass(frozen=True)
class General(Graph):
    """How often each setting returns the best move."""

    curves: dict[str, Setting]
    confidence: float = 0.95  # confidence level of the bands

    @property
    def settings(self) -> Sequence[Setting]:
        return list(self.curves.values())

    def panel(self, view: ResultView) -> Panel:
        """Shares over simulations."""
        budgets = self._budgets(view)
        lines = [
            Curve.from_intervals(label, budgets, [one.at(self.confidence) for one in view.shares(setting)])
            for label, setting in self.curves.items()
        ]
        return Panel(self.title, lines, X, SHARE, powers=True, limits=(-0.03, 1.03))

    def table(self, view: ResultView) -> DataTable:
        """Shares with the half-widths of their intervals."""
        rows = [
            [label, *(_cell(view.share(setting, exponent)) for exponent in self._shown(view))]
            for label, setting in self.curves.items()
        ]
        which = f" ({self.words})" if self.reading else ""
        return DataTable(f"Share of best moves, 95 % intervals{which}", self._headings(view), rows)


@dataclass(frozen=True)
class Specific(Graph):
    """How estimates or visits of single moves develop."""

    setting: Setting
    what: str  # estimates or visits
    moves: Sequence[int] = (0, 5, 6, 7, 8, 9)

    @property
    def settings(self) -> Sequence[Setting]:
        return [self.setting]

    def panel(self, view: ResultView) -> Panel:
        """One curve per move."""
        lines = [
            Curve.from_intervals(f"move {move}", self._budgets(view), view.curve(self.setting, self.what, move))
            for move in self.moves
        ]
        y = "estimated value" if self.what == "estimates" else "share of simulations"
        return Panel(self.title, lines, X, y, powers=True)

    def table(self, view: ResultView) -> DataTable:
        """Means over trials."""
        rows = []
        for move in self.moves:
            curve = view.curve(self.setting, self.what, move)
            rows.append([f"move {move}", *(_cell(curve[one - 1]) for one in self._shown(view))])
        word = "Estimated values" if self.what == "estimates" else "Shares of the simulations"
        return DataTable(f"{word}, means over trials, 95 % intervals", self._headings(view), rows)


@dataclass(frozen=True)
class Differential(Graph):
    """How much more often one setting returns the best move than another."""

    pairs: dict[str, tuple[Setting, Setting]]

    @property
    def settings(self) -> Sequence[Setting]:
        return [one for pair in self.pairs.values() for one in pair]

    def panel(self, view: ResultView) -> Panel:
        """Differences over simulations."""
        budgets = self._budgets(view)
        lines = [
            Curve.from_intervals(label, budgets, [view.gain(a, b, exponent) for exponent in view.exponents])
            for label, (a, b) in self.pairs.items()
        ]
        return Panel(self.title, lines, X, "difference of shares", powers=True, levels=(0.0,))

    def table(self, view: ResultView) -> DataTable:
        """Differences with the half-widths of their intervals."""
        rows = [
            [label, *(_cell(view.gain(a, b, exponent), "+") for exponent in self._shown(view))]
            for label, (a, b) in self.pairs.items()
        ]
        return DataTable("Difference of shares, 95 % intervals", self._headings(view), rows)


def _cell(one: Interval, sign: str = "") -> str:
    half = (one.high - one.low) / 2
    return f"{one.estimate:{sign}z.3f} ±{half:.3f}" if half < 10 else f"{one.estimate:{sign}z.3f}"
