"""Rows of an experiment's run in a small file for a repository: ``ID-SCALE.jsonl.xz``.

The first line describes the run, the others are its rows. A row is recognized by its point, that point's work and its
trials. So rows stay valid when other points are added, and a run continues from them on another machine.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ramify.errors import RamifyError, os_error_text
from ramify.experiments.framework.digest_keys import digest_key
from ramify.experiments.framework.experiment import Experiment, Point
from ramify.experiments.framework.plan import ExperimentPlan, ExperimentSession
from ramify.experiments.framework.work import CHUNK_TABLE
from ramify.output_files import check_replaceable, write_output
from ramify.paths import is_file
from ramify.runs.jobs import Record
from ramify.runs.user_files import short_digest

MAGIC = "ramify results 1"
_NUMBER, POINT, FIRST, TRIALS, _SEED, SUMS, SECONDS, FINISHED, VERSIONS = range(len(CHUNK_TABLE.columns))


def packed_file(folder: Path, experiment: Experiment, scale: str) -> Path:
    """Return the path of the packed rows of an experiment, or of the whole experiment of a part."""
    return folder / f"{experiment.run_id}-{scale}.jsonl.xz"


def write_packed(path: Path, plan: ExperimentPlan, records: Iterable[Record]) -> None:
    """Write the rows of a run. Replaces only a file that holds packed rows of the same experiment."""
    rows = list(records)
    versions = list(dict.fromkeys(row[VERSIONS] for row in rows))
    keys = [point.key for point in plan.points]
    lines = [
        {
            "format": MAGIC,
            "experiment": plan.experiment.run_id,
            "scale": plan.scale,
            "seed": plan.seed,
            "points": [[point.key, _digest(point)] for point in plan.points],
            "versions": versions,
        },
        *(
            [
                keys.index(row[POINT]),
                row[FIRST],
                row[TRIALS],
                json.loads(row[SUMS]),
                row[SECONDS],
                row[FINISHED],
                versions.index(row[VERSIONS]),
            ]
            for row in rows
        ),
    ]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_output(path, lzma.compress(text.encode()), _is_ours(plan))
    except OSError as error:
        raise RamifyError(f"cannot write {path}: {os_error_text(error)}") from None


def read_packed(path: Path, plan: ExperimentPlan) -> list[Record]:
    """Return the rows that fit a plan, with the numbers they have there."""
    header, lines = _lines(path)
    for key, wanted in (("experiment", plan.experiment.run_id), ("scale", plan.scale), ("seed", plan.seed)):
        if header[key] != wanted:
            raise RamifyError(f"{path} holds another run: its {key} is {header[key]}, not {wanted}")
    current = {point.key: _digest(point) for point in plan.points}
    keys = [key if current.get(key) == digest else None for key, digest in header["points"]]
    stored = {(keys[row[0]], row[1], row[2]): row for row in lines}
    found = ((chunk, stored.get((chunk.point, chunk.first, chunk.trials))) for chunk in plan.chunks())
    return [
        (
            *(chunk.number, chunk.point, chunk.first, chunk.trials, chunk.seed),
            *(json.dumps(row[3]), row[4], row[5], header["versions"][row[6]]),
        )
        for chunk, row in found
        if row is not None
    ]


def packed_seed(path: Path) -> int:
    """Return the seed of packed rows."""
    seed: int = _lines(path)[0]["seed"]
    return seed


def restore(session: ExperimentSession, path: Path) -> int:
    """Add packed rows to a run that does not have them. Return their number."""
    if not is_file(path):
        return 0
    done = session.store.numbers()
    new = [record for record in read_packed(path, session.plan) if record[0] not in done]
    session.store.add(new)
    session.store.flush()
    session.driver.aggregator.add(new)
    return len(new)


def check_packed(path: Path, plan: ExperimentPlan) -> None:
    """Raise RamifyError if the file exists and does not hold packed rows of this experiment."""
    try:
        check_replaceable(path, _is_ours(plan))
    except OSError as error:
        raise RamifyError(f"cannot write {path}: {os_error_text(error)}") from None


def _digest(point: Point) -> str:
    """Digest of what determines the trials of a point, its seed and number of trials apart."""
    return short_digest(json.dumps([digest_key(point.work), point.stream]))


def _is_ours(plan: ExperimentPlan) -> Callable[[bytes], bool]:
    def is_ours(data: bytes) -> bool:
        try:
            header = json.loads(lzma.decompress(data).partition(b"\n")[0])
        except (lzma.LZMAError, ValueError):
            return False
        return (header.get("format"), header.get("experiment")) == (MAGIC, plan.experiment.run_id)

    return is_ours


def _lines(path: Path) -> tuple[dict[str, Any], list[list[Any]]]:
    """Return the description of packed rows, and the rows."""
    try:
        lines = [json.loads(line) for line in lzma.decompress(path.read_bytes()).decode().splitlines()]
    except OSError as error:
        raise RamifyError(f"cannot read {path}: {os_error_text(error)}") from None
    except (lzma.LZMAError, EOFError, ValueError):
        lines = []
    if not lines or not isinstance(lines[0], dict) or lines[0].get("format") != MAGIC:
        raise RamifyError(f"{path} is damaged, or holds no packed rows: restore it from the repository")
    return lines[0], lines[1:]
