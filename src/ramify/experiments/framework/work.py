"""The work of a point, and the job that workers run: a chunk of its trials.

A trial is a pure function of the point's seed and the trial's number. So the size of chunks, the worker that runs one
and the number of sessions do not affect the results.
"""

from __future__ import annotations

import json
import math
import pickle
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any, ClassVar

from ramify.contract.registry import import_file
from ramify.old_names import old_attributes
from ramify.runs.jobs import Record
from ramify.runs.table import RunTable
from ramify.runs.versions import versions

Sums = dict[str, Any]  # numbers, lists of numbers, and dictionaries of both, which add up over chunks


def _plausible(record: Record) -> bool:
    """Whether a row can be the result of a chunk."""
    _, _, first, trials, _, sums, seconds, finished, _ = record
    return first >= 0 < trials and isinstance(json.loads(sums), dict) and math.isfinite(seconds + finished)


CHUNK_TABLE = RunTable(
    "chunks",
    ("number", "point", "first", "trials", "seed", "sums", "seconds", "finished", "versions"),
    {"point": "TEXT", "sums": "TEXT", "seconds": "REAL", "finished": "REAL", "versions": "TEXT"},
    "ramify reproduce",
    ("kind", "experiment", "scale", "seed", "points", "files", "versions"),
    _plausible,
)
TIMING = ("seconds", "finished")  # columns that differ between runs with the same seed


class Work(ABC):
    """What a trial of a point does: a frozen dataclass of plain data, so it can be pickled and stored."""

    stored_form: ClassVar[str]  # names of the class and its fields in stored runs (``digest_keys``)

    @abstractmethod
    def run(self, seed: int, first: int, count: int) -> Sums:
        """Run trials ``first`` to ``first + count - 1`` of the point with this seed. Return their sums."""

    def prepare(self) -> None:
        """Compile what the trials need, and raise if they cannot run. By default, run one trial."""
        self.run(0, 0, 1)

    def texts(self) -> Iterable[str]:
        """Return the descriptions of games and agents, which may name users' files."""
        return ()


@dataclass(frozen=True)
class TrialChunk:
    """Some trials of one point, as a job for any pool of workers."""

    number: int
    point: str
    payload: bytes  # the pickled work; its class may be defined in a user's file
    home: str  # that file; empty for built-in works
    seed: int  # of the point
    first: int
    trials: int
    verb: ClassVar[str] = "carried out"

    @property
    def name(self) -> str:
        return f"part {self.number}"

    def work(self) -> Work:
        return _work(self.payload, self.home)

    def descriptions(self) -> list[str]:
        """Descriptions of its games and agents, and the experiment's own file."""
        return [*self.work().texts(), *([self.home] if self.home else [])]

    def prepare(self) -> None:
        self.work().prepare()

    def expected_seconds(self) -> float:
        """Infinite: the duration of a trial is unknown in advance."""
        return math.inf

    def run(self) -> Record:
        """Run the trials. Return a row of the table ``chunks``."""
        work = self.work()
        began = perf_counter()
        sums = json.dumps(work.run(self.seed, self.first, self.trials), allow_nan=False)
        spent = round(perf_counter() - began, 6)
        where = (self.number, self.point, self.first, self.trials, self.seed)
        return (*where, sums, spent, round(time.time(), 3), versions())


@lru_cache(maxsize=512)
def _work(payload: bytes, home: str) -> Work:
    if home:
        import_file(home)  # registers the module name that the pickle refers to
    work: Work = pickle.loads(payload)  # noqa: S301  (from the driver, which sent this very code)
    return work


def add_sums(sums: Iterable[Any]) -> Any:
    """Add the sums of several chunks: numbers, and lists and dictionaries element by element."""
    values = list(sums)
    first = values[0]
    if isinstance(first, dict):
        keys = dict.fromkeys(key for value in values for key in value)
        return {key: add_sums(value[key] for value in values if key in value) for key in keys}
    if isinstance(first, list):
        return [add_sums(place) for place in zip(*values, strict=True)]
    return sum(values)


__getattr__ = old_attributes(__name__)
