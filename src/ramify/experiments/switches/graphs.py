"""The three kinds of graphs of the study: general performance, specific performance, performance differences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from ramify.experiments.curves import Curve, Panel, panels
from ramify.experiments.findings import Numbers
from ramify.experiments.switches.settings import Setting
from ramify.experiments.switches.view import View

X = "simulations"
SHARE = "share of best moves"
SHOWN = (3, 5, 7, 9, 10, 12, 14, 16)  # exponents in tables


@dataclass(frozen=True)
class Graph(ABC):
    """A figure of the thesis: its number and caption, and what it shows."""

    number: int  # k of figure 5.k
    words: str

    @property
    @abstractmethod
    def settings(self) -> Sequence[Setting]:
        """The settings that must be measured for it."""

    @abstractmethod
    def panel(self, view: View) -> Panel:
        """The figure."""

    @abstractmethod
    def table(self, view: View) -> Numbers:
        """Its figures."""

    @property
    def name(self) -> str:
        """As the thesis calls it."""
        return f"Figure 5.{self.number}"

    def draw(self, view: View) -> bytes:
        """The figure as PNG."""
        return panels([self.panel(view)])

    def _budgets(self, view: View) -> list[int]:
        return [2**exponent for exponent in view.exponents]

    def _shown(self, view: View) -> list[int]:
        return sorted({*(one for one in SHOWN if one <= view.last), view.last})

    def _headings(self, view: View) -> list[str]:
        return ["", *(f"2^{one}" for one in self._shown(view))]


@dataclass(frozen=True)
class General(Graph):
    """How often each setting returns the best move."""

    curves: dict[str, Setting]
    confidence: float | None = None  # intervals are drawn where the thesis does

    @property
    def settings(self) -> Sequence[Setting]:
        """Those of its curves."""
        return list(self.curves.values())

    def panel(self, view: View) -> Panel:
        """Shares over simulations."""
        budgets = self._budgets(view)
        lines = []
        for label, setting in self.curves.items():
            shares = view.shares(setting, self.confidence or 0.95)
            plain = Curve(label, budgets, [one.estimate for one in shares])
            lines.append(Curve.of(label, budgets, shares) if self.confidence else plain)
        return Panel(self.name, lines, X, SHARE, powers=True, limits=(-0.03, 1.03))

    def table(self, view: View) -> Numbers:
        """Shares with the half width of their intervals."""
        rows = []
        for label, setting in self.curves.items():
            shares = [view.share(setting, exponent) for exponent in self._shown(view)]
            rows.append([label, *(f"{one.estimate:.3f} ±{(one.high - one.low) / 2:.3f}" for one in shares)])
        return Numbers(f"{self.name}: {self.words}. Share of best moves, with 95 %", self._headings(view), rows)


@dataclass(frozen=True)
class Specific(Graph):
    """How estimates or visits of single moves develop."""

    setting: Setting
    what: str  # estimates or visits
    moves: Sequence[int] = (0, 5, 6, 7, 8, 9)

    @property
    def settings(self) -> Sequence[Setting]:
        """The one it looks into."""
        return [self.setting]

    def _values(self, view: View, move: int) -> list[float]:
        return view.estimates(self.setting, move) if self.what == "estimates" else view.visits(self.setting, move)

    def panel(self, view: View) -> Panel:
        """A curve for each move."""
        lines = [Curve(f"move {move}", self._budgets(view), self._values(view, move)) for move in self.moves]
        y = "estimated value" if self.what == "estimates" else "simulations of the move"
        return Panel(self.name, lines, X, y, powers=True)

    def table(self, view: View) -> Numbers:
        """Means over trials."""
        digits = 3 if self.what == "estimates" else 1
        rows = [
            [f"move {move}", *(f"{self._values(view, move)[one - 1]:,.{digits}f}" for one in self._shown(view))]
            for move in self.moves
        ]
        return Numbers(f"{self.name}: {self.words}. Means over trials", self._headings(view), rows)


@dataclass(frozen=True)
class Differential(Graph):
    """How much more often one setting returns the best move than another."""

    pairs: dict[str, tuple[Setting, Setting]]

    @property
    def settings(self) -> Sequence[Setting]:
        """Both of every pair."""
        return [one for pair in self.pairs.values() for one in pair]

    def panel(self, view: View) -> Panel:
        """Differences over simulations."""
        budgets = self._budgets(view)
        lines = [
            Curve(label, budgets, [view.gain(a, b, exponent).estimate for exponent in view.exponents])
            for label, (a, b) in self.pairs.items()
        ]
        return Panel(self.name, lines, X, "difference of shares", powers=True, levels=(0.0,))

    def table(self, view: View) -> Numbers:
        """Differences with the half width of their intervals."""
        rows = []
        for label, (a, b) in self.pairs.items():
            gains = [view.gain(a, b, exponent) for exponent in self._shown(view)]
            rows.append([label, *(f"{one.estimate:+z.3f} ±{(one.high - one.low) / 2:.3f}" for one in gains)])
        return Numbers(f"{self.name}: {self.words}. Difference of shares, with 95 %", self._headings(view), rows)
