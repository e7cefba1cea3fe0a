"""One sitting at an experiment: open its file, check that it is the same run, do what is missing, see what there is."""

from __future__ import annotations

import hashlib
import json
import pickle
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ramify.arena.matches.plan import files_of
from ramify.arena.matches.play import versions
from ramify.arena.matches.rows import Record, derive
from ramify.errors import RamifyError
from ramify.experiments import trials
from ramify.experiments.experiment import Experiment, Measured, Point, Results
from ramify.experiments.work import CHUNKS, Chunk, Sums
from ramify.runs.driver import Runner
from ramify.runs.jobs import Job
from ramify.runs.sitting import PoolMaker
from ramify.runs.store import Reader, Store

POINT, FIRST, TRIALS, SUMS, SECONDS, FINISHED = (
    CHUNKS.columns.index(name) for name in ("point", "first", "trials", "sums", "seconds", "finished")
)


@dataclass(frozen=True)
class Plan:
    """An experiment at one scale with a seed: everything that decides which trials are carried out."""

    experiment: Experiment
    scale: str
    seed: int
    points: tuple[Point, ...]

    @classmethod
    def of(cls, experiment: Experiment, scale: str, seed: int | None = None) -> Plan:
        """The plan; without a seed, with the experiment's own."""
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise RamifyError(f"the seed must be a whole number, not '{seed}'")
        points = experiment.points_of(scale)
        return cls(experiment, scale, experiment.seed if seed is None else seed, points)

    def chunks(self) -> Iterator[Chunk]:
        """All jobs in the order of their numbers: a chunk of every point, then the next of every point, and so on.

        So an interrupted run has about as many trials of every point, and says something about each.
        """
        payloads = {point.key: pickle.dumps(point.work) for point in self.points}
        cut = [[(point, first) for first in range(0, point.trials, point.chunk)] for point in self.points]
        rounds = (one for together in zip_longest(*cut) for one in together if one is not None)
        for number, (point, first) in enumerate(rounds, 1):
            yield Chunk(
                number=number,
                point=point.key,
                payload=payloads[point.key],
                home=self.experiment.home,
                seed=derive(self.seed, point.stream or point.key),
                first=first,
                trials=min(point.chunk, point.trials - first),
            )

    @property
    def jobs(self) -> int:
        """How many chunks there are."""
        return sum(-(-point.trials // point.chunk) for point in self.points)

    def description(self) -> dict[str, Any]:
        """The plan as plain data, for the run's file."""
        written = [[one.key, repr(one.work), one.trials, one.chunk, one.stream] for one in self.points]
        files = sorted({name for point in self.points for text in point.work.texts() for name in files_of(text)})
        home = [self.experiment.home] if self.experiment.home else []
        return {
            "kind": "experiment",
            "experiment": self.experiment.id,
            "scale": self.scale,
            "seed": self.seed,
            "points": _digest(json.dumps(written).encode()),
            "files": {name: _digest(Path(name).read_bytes()) for name in [*home, *files]},
            "versions": versions(),
        }

    def prepare(self) -> None:
        """Compile what the workers will load, and find out now what cannot be done."""
        trials.forget()
        for work in dict.fromkeys(point.work for point in self.points):
            work.prepare()


# How a difference is named; versions may differ.
TITLES = {
    "experiment": "experiment is",
    "scale": "scale is",
    "seed": "seed is",
    "points": "points have the digest",
    "files": "files are",
}


def check_same(path: Path, stored: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse to mix trials of different plans in one file; the sentence says what differs."""
    for key, title in TITLES.items():
        if stored.get(key) != wanted[key]:
            raise RamifyError(
                f"{path} holds another run: its {title} {stored.get(key)}, not {wanted[key]};"
                " use another folder, or delete the file"
            )


class Progress(Runner):
    """Chunks done so far, by point."""

    def __init__(self, store: Store, plan: Plan) -> None:
        super().__init__(store, plan.jobs)
        self.plan = plan
        self.trials: Counter[str] = Counter()
        self._chunks = 0
        self.count(store.records())

    def count(self, records: Iterable[Record]) -> None:
        """Count chunks and trials."""
        for record in records:
            self._chunks += 1
            self.trials[record[POINT]] += record[TRIALS]

    @property
    def done(self) -> int:
        """Chunks finished."""
        return self._chunks


class Sitting:
    """A plan with its file; a context manager, because the file is locked meanwhile."""

    def __init__(self, plan: Plan, run: str | Path | None = None) -> None:
        plan.prepare()
        self.plan = plan
        self.store = Store(run, plan.description(), CHUNKS)
        try:
            stored, wanted = self.store.description(), plan.description()
            check_same(self.store.path, stored, wanted)
            begun, now = stored["versions"], wanted["versions"]
            self.notes = [] if begun == now else [f"the run was begun with {begun}; this is {now}"]
            self.progress = Progress(self.store, plan)
        except BaseException:
            self.store.close()
            raise

    def run(self, make_pool: PoolMaker, watch: Callable[[Progress], object] = lambda _: None) -> None:
        """Carry out the chunks that are missing."""
        done = self.store.numbers()
        missing = self.plan.jobs - len(done)
        if missing:
            self.progress.run(self._missing(done), make_pool(missing), watch)

    def _missing(self, done: Container[int]) -> Iterator[Job]:
        return (chunk for chunk in self.plan.chunks() if chunk.number not in done)

    def results(self) -> Results:
        """What there is."""
        return collected(self.plan, self.store)

    def close(self) -> None:
        """Let others at the file."""
        self.store.close()

    def __enter__(self) -> Sitting:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def collected(plan: Plan, reader: Reader) -> Results:
    """The results in a file, of all points that have any."""
    chunks: dict[str, dict[int, Sums]] = {point.key: {} for point in plan.points}
    counts: Counter[str] = Counter()
    for record in reader.records():
        chunks[record[POINT]][record[FIRST]] = json.loads(record[SUMS])
        counts[record[POINT]] += record[TRIALS]
    points = {point.key: Measured(point, chunks[point.key], counts[point.key]) for point in plan.points}
    complete = all(measured.trials == measured.point.trials for measured in points.values())
    return Results(points, plan.experiment.scale(plan.scale).sizes, plan.scale, plan.seed, complete)


def spent(reader: Reader) -> tuple[float, str]:
    """Seconds that the workers were busy with all chunks, and the day of the last one."""
    seconds, last = 0.0, 0.0
    for record in reader.records():
        seconds += record[SECONDS]
        last = max(last, record[FINISHED])
    return seconds, datetime.fromtimestamp(last, UTC).strftime("%Y-%m-%d")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]
