"""The page of all reproductions, written from stored runs; nothing is run for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ramify.arena.reports.document import Block, Details, Heading, Paragraph, Table
from ramify.arena.reports.page_files import page_with, write_markdown
from ramify.errors import RamifyError, os_error_text
from ramify.experiments.framework.experiment import SCALES, Experiment
from ramify.experiments.framework.findings import count_verdicts
from ramify.experiments.framework.plan import ExperimentPlan, read_results, spent
from ramify.experiments.framework.registry import experiments
from ramify.experiments.framework.reproduce import Reproduction, expected_false_verdicts
from ramify.experiments.framework.work import CHUNK_TABLE
from ramify.output_files import check_replaceable
from ramify.paths import is_file
from ramify.runs.store import Reader

PICTURES = "pictures/reproduce-"
TITLE, COMMAND = "Reproductions", "ramify reproduce --page FILE"  # in every page

_is_page = page_with(f"# {TITLE}\n", COMMAND)


def page(
    path: str | Path, out: str | Path, scale: str = "quick", on_note: Callable[[str], object] = lambda _: None
) -> list[Path]:
    """Write the page from the finished runs in the folder ``out``. Return the paths of the files written.

    Each experiment is shown at the largest scale that was run, ``scale`` or above. ``on_note`` is called with notes on
    rows of the runs.
    """
    if scale not in SCALES:
        next(iter(experiments().values())).scale(scale)
    scales = SCALES[SCALES.index(scale) :][::-1]
    runs = ((_read(one, Path(out), name, on_note) for name in scales) for one in experiments().values())
    found = [one for one in (next((run for run in of_one if run), None) for of_one in runs) if one]
    if not found:
        raise RamifyError(f"no finished run of scale '{scale}' in {out}: run `ramify reproduce ID --scale {scale}`")
    try:
        check_replaceable(Path(path), _is_page)  # before drawing
        return write_markdown(Path(path), _blocks(found, scale), _is_page)
    except OSError as error:
        raise RamifyError(f"cannot write {path}: {os_error_text(error)}") from None


def _read(experiment: Experiment, out: Path, scale: str, on_note: Callable[[str], object]) -> Reproduction | None:
    """Read the finished run of an experiment. Return None if the file does not exist."""
    run = out / f"{experiment.id}-{scale}.db"
    if not is_file(run):
        return None
    with Reader(run, CHUNK_TABLE) as reader:
        stored = reader.full_description()
        plan = ExperimentPlan.from_experiment(experiment, scale, stored["seed"])
        plan.check_same(run, stored)
        results = read_results(plan, reader)
        for note in reader.notes():
            on_note(f"{run.name}: {note}")
        if not results.complete:
            raise RamifyError(
                f"{run} is not finished: resume it with `ramify reproduce {experiment.id} --scale {scale}`"
            )
        seconds, day = spent(reader)
    return Reproduction(
        experiment, results, experiment.findings(results), seconds, day, stored["versions"], os.fspath(run)
    )


def _blocks(found: Sequence[Reproduction], scale: str) -> Iterator[Block]:
    yield Heading(TITLE, 1)
    yield Paragraph(
        "Results of reproducing the papers' experiments: first one line per figure and table, then the details, folded."
        f" '{COMMAND} --scale {scale}' writes this page from stored runs. The page on experiments"
        " explains how verdicts are reached. Intervals are 95 % intervals unless stated otherwise."
    )
    papers = [claim for one in found for claim in one.findings.claims if not claim.ours]
    ours = [claim for one in found for claim in one.findings.claims if claim.ours]
    yield Table(
        ["", "confirmed", "not confirmed", "undecided"],
        [
            [f"{len(claims)} {words}", *count_verdicts(claims).split(" / ")]
            for words, claims in (("statements of papers", papers), ("claims of our own", ours))
            if claims
        ],
    )
    yield Paragraph(expected_false_verdicts([*papers, *ours]))
    for words, theirs in (("What the papers say", True), ("Our own claims", False)):
        yield Heading(words, 2)
        for one in found:
            if any(claim.ours != theirs for claim in one.findings.claims):
                yield Heading(
                    one.title if theirs or not one.experiment.paper else f"{one.experiment.id}: beyond the paper", 3
                )
                yield Paragraph(f"{one.experiment.shows} Scale: '{one.results.scale}'.")
                yield one.summary(_prefix(one), ours=not theirs)
    yield Heading("Details", 2)
    for one in found:
        yield Heading(one.experiment.id, 3)
        yield Details(f"{one.experiment.id}, setup", list(one.setting()))
        yield from one.details(_prefix(one), 4)


def _prefix(one: Reproduction) -> str:
    return PICTURES + f"{one.experiment.id}-"
