"""Experiments as data: source, scales, points, and a function that judges the results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.errors import RamifyError, suggestion
from ramify.experiments.framework.findings import Findings
from ramify.experiments.framework.work import Sums, Work, add_sums
from ramify.old_names import old_attributes, old_members

SCALES = ("smoke", "quick", "paper")
NO_VERDICTS = ("smoke",)  # scales with too few trials for verdicts


@dataclass(frozen=True)
class Point:
    """A setting that is measured by many trials."""

    key: str  # unique within the experiment
    work: Work
    trials: int
    chunk: int = 1  # trials per job; a job should take between 0.1 s and a few seconds
    stream: str | None = None  # points of one stream share their seeds (common random numbers)


@dataclass(frozen=True)
class Scale:
    """Sizes of an experiment, and its approximate duration on two cores."""

    sizes: Mapping[str, Any]
    seconds: float


@old_members(each="by_chunk")
@dataclass(frozen=True)
class PointResult:
    """Results of one point: the sums of its chunks, keyed by the number of their first trial."""

    point: Point
    chunks: Mapping[int, Sums]
    trials: int  # completed so far

    def total(self, *path: str) -> Any:
        """Sum over all trials; ``path`` names the sum, and entries of nested dictionaries."""
        return add_sums(_inside(sums, path) for sums in self.chunks.values())

    def by_chunk(self, *path: str) -> npt.NDArray[np.float64]:
        """Return the same sums as an array with one row per chunk."""
        return np.array([_inside(sums, path) for _, sums in sorted(self.chunks.items())], np.float64)


def _inside(sums: Sums, path: tuple[str, ...]) -> Any:
    found: Any = sums
    for name in path:
        found = found[name]
    return found


@dataclass(frozen=True)
class Results(Mapping[str, PointResult]):
    """Results of all points, by key."""

    points: Mapping[str, PointResult]
    sizes: Mapping[str, Any]
    scale: str
    seed: int
    complete: bool = True

    def __getitem__(self, key: str) -> PointResult:
        return self.points[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    @property
    def trials(self) -> int:
        """Completed trials of all points."""
        return sum(measured.trials for measured in self.points.values())


@dataclass(frozen=True)
class Part:
    """A table or figure with a name of its own, e.g. ``quality-table-3``. It shares the run of its experiment."""

    part: str  # as the paper calls it
    shows: str  # one sentence
    needs: Callable[[str], bool]  # of the key of a point: whether the part needs it
    findings: Callable[[Results], Findings]  # receives only the points that it needs


@dataclass(frozen=True)
class Experiment:
    """What ``ramify reproduce`` runs. ``points`` receives the sizes of a scale as keyword arguments."""

    id: str
    paper: str  # authors, title, year; empty for our own studies
    part: str  # figures and tables of the paper
    shows: str  # one sentence
    setup: str  # the settings, in a sentence or two, with {placeholders} for sizes
    scales: Mapping[str, Scale]
    points: Callable[..., Sequence[Point]]
    findings: Callable[[Results], Findings]
    seed: int = 1
    parts: Mapping[str, Part] = field(default_factory=dict)  # by the end of their names
    file: str = field(default="", compare=False)  # the user's file that defines it; empty if built in
    whole: Experiment | None = None  # whose run a part shares; None for a whole experiment
    needs: Callable[[str], bool] = lambda _: True  # of the key of a point

    def __post_init__(self) -> None:
        if set(self.scales) != set(SCALES):
            raise RamifyError(
                f"experiment '{self.id}' needs the scales {', '.join(SCALES)}, not {', '.join(self.scales) or 'none'}"
            )

    @property
    def published(self) -> str:
        """Part and paper."""
        return f"{self.part} of {self.paper}" if self.paper else self.part

    @property
    def run_id(self) -> str:
        """Id of the run: that of the whole experiment."""
        return self.whole.id if self.whole else self.id

    def all_parts(self) -> list[Experiment]:
        """Return the parts as experiments."""
        return [
            replace(
                self,
                id=f"{self.id}-{name}",
                part=one.part,
                shows=one.shows,
                findings=one.findings,
                needs=one.needs,
                parts={},
                whole=self,
            )
            for name, one in self.parts.items()
        ]

    def scale(self, name: str) -> Scale:
        if name not in self.scales:
            raise RamifyError(f"unknown scale '{name}': {suggestion(name, SCALES)}")
        return self.scales[name]

    def points_of(self, scale: str) -> tuple[Point, ...]:
        """Return all points of a scale, of a part too. Raise RamifyError for missing or duplicate points."""
        points = tuple(self.points(**self.scale(scale).sizes))
        if not points or len({point.key for point in points}) < len(points):
            raise RamifyError(f"experiment '{self.id}' needs at least one point, and keys must be unique")
        for point in points:
            if point.trials < 1 or point.chunk < 1:
                raise RamifyError(f"point '{point.key}' of '{self.id}' needs at least 1 trial, and 1 per chunk")
        return points


__getattr__ = old_attributes(__name__)
