"""An experiment as data: where it was published, its sizes, its points, and a function that judges what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.errors import RamifyError, suggestion
from ramify.experiments.framework.findings import Findings
from ramify.experiments.framework.work import Sums, Work, add_sums
from ramify.old_names import old_attributes

SCALES = ("smoke", "quick", "paper")


@dataclass(frozen=True)
class Point:
    """One setting that is measured by many trials."""

    key: str  # names it within the experiment
    work: Work
    trials: int
    chunk: int = 1  # trials that one job carries out: best a tenth of a second to some seconds of them
    stream: str | None = None  # points of one stream have the same seeds, so that they meet the same luck


@dataclass(frozen=True)
class Scale:
    """How large an experiment is, and about how long it takes on two cores."""

    sizes: Mapping[str, Any]
    seconds: float


@dataclass(frozen=True)
class PointResult:
    """What came out at one point: the sums of its chunks, by the number of their first trial."""

    point: Point
    chunks: Mapping[int, Sums]
    trials: int  # that were carried out

    def total(self, *path: str) -> Any:
        """A sum over all trials, by its name (and the names within it)."""
        return add_sums(_inside(sums, path) for sums in self.chunks.values())

    def by_chunk(self, *path: str) -> npt.NDArray[np.float64]:
        """The same, chunk by chunk: a row for each."""
        return np.array([_inside(sums, path) for _, sums in sorted(self.chunks.items())], np.float64)


def _inside(sums: Sums, path: tuple[str, ...]) -> Any:
    found: Any = sums
    for name in path:
        found = found[name]
    return found


@dataclass(frozen=True)
class Results(Mapping[str, PointResult]):
    """What came out at every point, by its key."""

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
        """Trials of all points."""
        return sum(measured.trials for measured in self.points.values())


@dataclass(frozen=True)
class Experiment:
    """What ``ramify reproduce`` runs. ``points`` gets the sizes of a scale by name."""

    id: str
    paper: str  # authors, title, year; empty for a study of ours
    part: str  # the figures and tables in it
    shows: str  # one sentence
    setup: str  # the settings, in a sentence or two, with {names} of sizes
    scales: Mapping[str, Scale]
    points: Callable[..., Sequence[Point]]
    findings: Callable[[Results], Findings]
    seed: int = 1
    file: str = field(default="", compare=False)  # the user's file it is from

    def __post_init__(self) -> None:
        if set(self.scales) != set(SCALES):
            raise RamifyError(
                f"experiment '{self.id}' needs the scales {', '.join(SCALES)}, not {', '.join(self.scales) or 'none'}"
            )

    @property
    def published(self) -> str:
        """What it repeats, and where that is from."""
        return f"{self.part} of {self.paper}" if self.paper else self.part

    def scale(self, name: str) -> Scale:
        """The scale of that name."""
        if name not in self.scales:
            raise RamifyError(f"there is no scale '{name}'; {suggestion(name, SCALES)}")
        return self.scales[name]

    def points_of(self, scale: str) -> tuple[Point, ...]:
        """The points at a scale, which must differ in their keys."""
        points = tuple(self.points(**self.scale(scale).sizes))
        if not points or len({point.key for point in points}) < len(points):
            raise RamifyError(f"experiment '{self.id}' needs points, each with a key of its own")
        for point in points:
            if point.trials < 1 or point.chunk < 1:
                raise RamifyError(f"point '{point.key}' of '{self.id}' needs at least one trial, and in each chunk")
        return points


__getattr__ = old_attributes(__name__)
