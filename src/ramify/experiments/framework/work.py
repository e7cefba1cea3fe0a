"""The unit of work of an experiment, and the job that workers carry out: some trials of one point.

A trial is a pure function of the point's seed and the trial's number, so how trials are cut into chunks, which worker
takes them and in how many sittings they are done makes no difference.
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

Sums = dict[str, Any]  # numbers, lists of numbers, and dictionaries of both: what adds up over chunks


def _sensible(record: Record) -> bool:
    """Whether trials can have been carried out as a record has it."""
    _, _, first, trials, _, sums, seconds, finished, _ = record
    return first >= 0 < trials and isinstance(json.loads(sums), dict) and math.isfinite(seconds + finished)


CHUNK_TABLE = RunTable(
    "chunks",
    ("number", "point", "first", "trials", "seed", "sums", "seconds", "finished", "versions"),
    {"point": "TEXT", "sums": "TEXT", "seconds": "REAL", "finished": "REAL", "versions": "TEXT"},
    "ramify reproduce",
    ("kind", "experiment", "scale", "seed", "points", "files", "versions"),
    _sensible,
)
TIMING = ("seconds", "finished")  # columns that differ between two runs of the same seed


class Work(ABC):
    """What a trial of a point does: a frozen dataclass of plain data, so that it can travel and be written down."""

    stored_form: ClassVar[str]  # names of the class and its fields in runs on the disk (``digest_keys``)

    @abstractmethod
    def run(self, seed: int, first: int, count: int) -> Sums:
        """Carry out trials ``first`` to ``first + count - 1`` of the point with this seed, and add them up."""

    def prepare(self) -> None:
        """Compile what the trials need, and find out what cannot be done: unless told otherwise, by trying."""
        self.run(0, 0, 1)

    def texts(self) -> Iterable[str]:
        """Descriptions of games and agents, which may name files of the user's."""
        return ()


@dataclass(frozen=True)
class TrialChunk:
    """Some trials of one point, as a job for workers of any kind."""

    number: int
    point: str
    payload: bytes  # the work, pickled: it may be of a class in the user's own file
    home: str  # that file; empty for ours
    seed: int  # of the point
    first: int
    trials: int
    verb: ClassVar[str] = "carried out"

    @property
    def name(self) -> str:
        """By its number."""
        return f"part {self.number}"

    def work(self) -> Work:
        """What is to be done."""
        return _work(self.payload, self.home)

    def descriptions(self) -> list[str]:
        """Descriptions of games and agents in it, and the experiment's own file."""
        return [*self.work().texts(), *([self.home] if self.home else [])]

    def prepare(self) -> None:
        """Compile what it needs."""
        self.work().prepare()

    def expected_seconds(self) -> float:
        """Nobody knows: trials are of any kind."""
        return math.inf

    def run(self) -> Record:
        """Do it; the row of the table ``chunks``."""
        work = self.work()
        began = perf_counter()
        sums = json.dumps(work.run(self.seed, self.first, self.trials), allow_nan=False)
        spent = round(perf_counter() - began, 6)
        where = (self.number, self.point, self.first, self.trials, self.seed)
        return (*where, sums, spent, round(time.time(), 3), versions())


@lru_cache(maxsize=512)
def _work(payload: bytes, home: str) -> Work:
    if home:
        import_file(home)  # under the name that the pickle knows
    work: Work = pickle.loads(payload)  # noqa: S301  (from the driver, which sent this very code)
    return work


def add_sums(sums: Iterable[Any]) -> Any:
    """The sum of what several chunks give: numbers, and lists and dictionaries place by place."""
    values = list(sums)
    first = values[0]
    if isinstance(first, dict):
        keys = dict.fromkeys(key for value in values for key in value)
        return {key: add_sums(value[key] for value in values if key in value) for key in keys}
    if isinstance(first, list):
        return [add_sums(place) for place in zip(*values, strict=True)]
    return sum(values)


__getattr__ = old_attributes(__name__)
