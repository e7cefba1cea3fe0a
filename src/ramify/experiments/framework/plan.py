"""Plan of an experiment at one scale: its chunks of trials, and the results of their rows."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import zip_longest
from typing import Any, Self

from ramify.errors import RamifyError
from ramify.experiments.framework.digest_keys import digest_key
from ramify.experiments.framework.experiment import Experiment, Point, PointResult, Results
from ramify.experiments.framework.work import CHUNK_TABLE, Sums, TrialChunk
from ramify.runs.caches import clear_caches
from ramify.runs.driver import Aggregator
from ramify.runs.edited_files import digests
from ramify.runs.jobs import Record
from ramify.runs.messages import RunMessages
from ramify.runs.run_plan import RunPlan
from ramify.runs.seeds import derive
from ramify.runs.session import Session
from ramify.runs.user_files import short_digest, user_files
from ramify.runs.versions import versions

POINT, FIRST, TRIALS, SUMS, SECONDS, FINISHED = (
    CHUNK_TABLE.columns.index(name) for name in ("point", "first", "trials", "sums", "seconds", "finished")
)


# A run resumes under other versions, and edited files have their own messages.
MESSAGES = RunMessages(
    titles={
        "experiment": ("experiment is", str),
        "scale": ("scale is", str),
        "seed": ("seed is", str),
        "points": ("points have the digest", str),
    },
    mismatch_hint="use another folder, or delete the file",
    restart_hint="use another folder, or delete the file",
)


class TrialAggregator(Aggregator):
    """Counts finished chunks, and trials per point. Other points than those that are needed do not count."""

    def __init__(self, needs: Callable[[str], bool]) -> None:
        self.trials: Counter[str] = Counter()
        self._needs = needs
        self._chunks = 0

    def add(self, records: Iterable[Record]) -> None:
        for record in records:
            self._chunks += self._needs(record[POINT])
            self.trials[record[POINT]] += record[TRIALS]

    @property
    def done(self) -> int:
        """Number of finished chunks."""
        return self._chunks


@dataclass(frozen=True)
class ExperimentPlan(RunPlan[TrialAggregator]):
    """An experiment at one scale with a seed: everything that determines its trials.

    A part has the jobs of its whole experiment, with their numbers and seeds, but runs only those that it needs.
    """

    table = CHUNK_TABLE
    messages = MESSAGES

    experiment: Experiment
    scale: str
    seed: int
    points: tuple[Point, ...]

    @classmethod
    def from_experiment(cls, experiment: Experiment, scale: str, seed: int | None = None) -> ExperimentPlan:
        """Return the plan. ``seed`` defaults to the experiment's own."""
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise RamifyError(f"invalid seed '{seed}': use a whole number")
        points = experiment.points_of(scale)
        return cls(experiment, scale, experiment.seed if seed is None else seed, points)

    def chunks(self) -> Iterator[TrialChunk]:
        """Yield all jobs in the order of their numbers: one chunk of each point, then the next of each, and so on.

        An interrupted run thus has about the same number of trials of every point.
        """
        payloads = {point.key: pickle.dumps(point.work) for point in self.points}
        cut = [[(point, first) for first in range(0, point.trials, point.chunk)] for point in self.points]
        rounds = (one for turn in zip_longest(*cut) for one in turn if one is not None)
        for number, (point, first) in enumerate(rounds, 1):
            yield TrialChunk(
                number=number,
                point=point.key,
                payload=payloads[point.key],
                home=self.experiment.file,
                seed=derive(self.seed, point.stream or point.key),
                first=first,
                trials=min(point.chunk, point.trials - first),
            )

    def seeded(self, seed: int) -> Self:
        return replace(self, seed=seed)

    @property
    def needed(self) -> list[Point]:
        """The points that are run: all, or those that a part needs."""
        return [point for point in self.points if self.experiment.needs(point.key)]

    def aggregator(self) -> TrialAggregator:
        """Return an empty aggregator."""
        return TrialAggregator(self.experiment.needs)

    def jobs(self, done: Container[int] = ()) -> Iterator[TrialChunk]:
        """Return the chunks that are needed and not in ``done``."""
        needed = {point.key for point in self.needed}
        return (chunk for chunk in self.chunks() if chunk.point in needed and chunk.number not in done)

    def missing(self, done: Container[int]) -> int:
        return sum(1 for _ in self.jobs(done))

    def contains(self, record: Record) -> bool:
        """Whether a row belongs to one of the plan's chunks, seed included."""
        return record[:5] in self._beginnings

    @cached_property
    def _beginnings(self) -> set[Record]:
        """Leading columns of every chunk's row, which are known before it runs."""
        return {(one.number, one.point, one.first, one.trials, one.seed) for one in self.chunks()}

    @property
    def total(self) -> int:
        """Number of chunks that are needed."""
        return sum(-(-point.trials // point.chunk) for point in self.needed)

    def description(self) -> dict[str, Any]:
        """Return the plan as plain data, for the run's file."""
        written = [[one.key, digest_key(one.work), one.trials, one.chunk, one.stream] for one in self.points]
        texts = [text for point in self.points for text in point.work.texts()]
        return {
            "kind": "experiment",
            "experiment": self.experiment.run_id,
            "scale": self.scale,
            "seed": self.seed,
            "points": short_digest(json.dumps(written)),
            **digests(user_files(texts, *([self.experiment.file] if self.experiment.file else []))),
            "versions": versions(),
        }

    def prepare(self) -> None:
        """Compile what the workers will load, and raise now for works that cannot run."""
        clear_caches()
        for work in dict.fromkeys(point.work for point in self.needed):
            work.prepare()


ExperimentSession = Session[ExperimentPlan, TrialAggregator]


def results_of(plan: ExperimentPlan, records: Iterable[Record]) -> Results:
    """Return the results of all needed points, given the rows of a run."""
    chunks: dict[str, dict[int, Sums]] = {point.key: {} for point in plan.needed}
    counts: Counter[str] = Counter()
    for record in records:
        if record[POINT] in chunks:
            chunks[record[POINT]][record[FIRST]] = json.loads(record[SUMS])
            counts[record[POINT]] += record[TRIALS]
    points = {point.key: PointResult(point, chunks[point.key], counts[point.key]) for point in plan.needed}
    complete = all(measured.trials == measured.point.trials for measured in points.values())
    return Results(points, plan.experiment.scale(plan.scale).sizes, plan.scale, plan.seed, complete)


def spent(records: Iterable[Record]) -> tuple[float, str]:
    """Return the seconds that workers spent on these chunks, and the day on which the last one finished."""
    seconds, last = 0.0, 0.0
    for record in records:
        seconds += record[SECONDS]
        last = max(last, record[FINISHED])
    return seconds, datetime.fromtimestamp(last, UTC).strftime("%Y-%m-%d")
