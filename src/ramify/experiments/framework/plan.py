"""Which trials an experiment has at one scale, and what they gave."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Container, Iterable, Iterator
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
from ramify.runs.salvage.damage import damaged
from ramify.runs.seeds import derive
from ramify.runs.session import Session
from ramify.runs.store import Reader
from ramify.runs.user_files import short_digest, user_files
from ramify.runs.versions import versions

POINT, FIRST, TRIALS, SUMS, SECONDS, FINISHED = (
    CHUNK_TABLE.columns.index(name) for name in ("point", "first", "trials", "sums", "seconds", "finished")
)


# Versions may differ, and files have sentences of their own.
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
    """Chunks done so far, and trials of each point."""

    def __init__(self) -> None:
        self.trials: Counter[str] = Counter()
        self._chunks = 0

    def add(self, records: Iterable[Record]) -> None:
        """Count chunks and trials."""
        for record in records:
            self._chunks += 1
            self.trials[record[POINT]] += record[TRIALS]

    @property
    def done(self) -> int:
        """Chunks finished."""
        return self._chunks


@dataclass(frozen=True)
class ExperimentPlan(RunPlan[TrialAggregator]):
    """An experiment at one scale with a seed: everything that decides which trials are carried out."""

    table = CHUNK_TABLE
    messages = MESSAGES

    experiment: Experiment
    scale: str
    seed: int
    points: tuple[Point, ...]

    @classmethod
    def from_experiment(cls, experiment: Experiment, scale: str, seed: int | None = None) -> ExperimentPlan:
        """The plan; without a seed, with the experiment's own."""
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise RamifyError(f"the seed must be a whole number, not '{seed}'")
        points = experiment.points_of(scale)
        return cls(experiment, scale, experiment.seed if seed is None else seed, points)

    def chunks(self) -> Iterator[TrialChunk]:
        """All jobs in the order of their numbers: a chunk of every point, then the next of every point, and so on.

        So an interrupted run has about as many trials of every point, and says something about each.
        """
        payloads = {point.key: pickle.dumps(point.work) for point in self.points}
        cut = [[(point, first) for first in range(0, point.trials, point.chunk)] for point in self.points]
        rounds = (one for together in zip_longest(*cut) for one in together if one is not None)
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
        """The same plan with this seed."""
        return replace(self, seed=seed)

    def aggregator(self) -> TrialAggregator:
        """Somebody who counts chunks and trials."""
        return TrialAggregator()

    def jobs(self, done: Container[int] = ()) -> Iterator[TrialChunk]:
        """The chunks that are missing."""
        return (chunk for chunk in self.chunks() if chunk.number not in done)

    def contains(self, record: Record) -> bool:
        """Whether a row is that of a chunk of a point, with the point's seed."""
        return record[:5] in self._beginnings

    @cached_property
    def _beginnings(self) -> set[Record]:
        """Of the rows of all chunks, as far as they are known beforehand."""
        return {(one.number, one.point, one.first, one.trials, one.seed) for one in self.chunks()}

    @property
    def total(self) -> int:
        """How many chunks there are."""
        return sum(-(-point.trials // point.chunk) for point in self.points)

    def description(self) -> dict[str, Any]:
        """The plan as plain data, for the run's file."""
        written = [[one.key, digest_key(one.work), one.trials, one.chunk, one.stream] for one in self.points]
        texts = [text for point in self.points for text in point.work.texts()]
        return {
            "kind": "experiment",
            "experiment": self.experiment.id,
            "scale": self.scale,
            "seed": self.seed,
            "points": short_digest(json.dumps(written)),
            **digests(user_files(texts, *([self.experiment.file] if self.experiment.file else []))),
            "versions": versions(),
        }

    def prepare(self) -> None:
        """Compile what the workers will load, and find out now what cannot be done."""
        clear_caches()
        for work in dict.fromkeys(point.work for point in self.points):
            work.prepare()


ExperimentSession = Session[ExperimentPlan, TrialAggregator]


def read_results(plan: ExperimentPlan, reader: Reader) -> Results:
    """The results in a file, of all points that have any."""
    chunks: dict[str, dict[int, Sums]] = {point.key: {} for point in plan.points}
    counts: Counter[str] = Counter()
    for record in reader.records():
        if record[POINT] not in chunks:
            raise damaged(reader.path, f"row {record[0]} is of '{record[POINT]}', which the experiment does not have")
        chunks[record[POINT]][record[FIRST]] = json.loads(record[SUMS])
        counts[record[POINT]] += record[TRIALS]
    points = {point.key: PointResult(point, chunks[point.key], counts[point.key]) for point in plan.points}
    complete = all(measured.trials == measured.point.trials for measured in points.values())
    return Results(points, plan.experiment.scale(plan.scale).sizes, plan.scale, plan.seed, complete)


def spent(reader: Reader) -> tuple[float, str]:
    """Seconds that the workers were busy with all chunks, and the day of the last one."""
    seconds, last = 0.0, 0.0
    for record in reader.records():
        seconds += record[SECONDS]
        last = max(last, record[FINISHED])
    return seconds, datetime.fromtimestamp(last, UTC).strftime("%Y-%m-%d")
