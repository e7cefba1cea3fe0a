"""The page of all reproductions, from runs that are on the disk; nothing is run for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from ramify.arena.reports.document import Block, Heading, Paragraph, Table
from ramify.errors import RamifyError, why
from ramify.experiments.experiment import Experiment
from ramify.experiments.plan import ExperimentPlan, collected, spent
from ramify.experiments.registry import experiments
from ramify.experiments.reproduce import Reproduction, write_page
from ramify.experiments.work import CHUNKS
from ramify.runs.store import Reader

PICTURES = "pictures/reproduce-"


def page(path: str | Path, out: str | Path, scale: str = "quick") -> list[Path]:
    """Write the page from the finished runs in the folder ``out``; the files that were written."""
    found = [one for one in (_read(experiment, Path(out), scale) for experiment in experiments().values()) if one]
    if not found:
        raise RamifyError(f"there is no finished run of scale '{scale}' in {out}; `ramify reproduce ID` makes one")
    try:
        return write_page(Path(path), list(_blocks(found, scale)))
    except OSError as error:
        raise RamifyError(f"{path} cannot be written: {why(error)}") from None


def _read(experiment: Experiment, out: Path, scale: str) -> Reproduction | None:
    """The finished run of an experiment; None if there is none."""
    run = out / f"{experiment.id}-{scale}.db"
    experiment.scale(scale)
    if not run.is_file():
        return None
    with Reader(run, CHUNKS) as reader:
        stored = reader.asked_for()
        plan = ExperimentPlan.of(experiment, scale, stored["seed"])
        plan.check_same(run, stored)
        results = collected(plan, reader)
        if not results.complete:
            raise RamifyError(f"{run} is not finished: `ramify reproduce {experiment.id} --scale {scale}` goes on")
        seconds, day = spent(reader)
    return Reproduction(
        experiment, results, experiment.findings(results), seconds, day, stored["versions"], os.fspath(run)
    )


def _blocks(found: list[Reproduction], scale: str) -> Iterator[Block]:
    yield Heading("Reproductions", 1)
    yield Paragraph(
        f"What came out when the experiments of the papers were run again at the scale '{scale}'. This page is written"
        f" by 'ramify reproduce --page FILE --scale {scale}' from runs that are on the disk; the page on experiments"
        " tells how verdicts are reached. Intervals are of 95 % unless another number is given."
    )
    yield Table(
        ["experiment", "claim", "verdict"],
        [[one.experiment.id, claim.sentence, claim.verdict.status] for one in found for claim in one.findings.claims],
        texts=3,
    )
    for one in found:
        yield from one.blocks(PICTURES + f"{one.experiment.id}-")
