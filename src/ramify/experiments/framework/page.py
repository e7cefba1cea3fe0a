"""The page of all reproductions, written from stored runs or packed rows; nothing is run for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ramify.arena.reports.document import Block, Details, Heading, Paragraph, Table
from ramify.arena.reports.page_files import page_with, write_markdown
from ramify.errors import RamifyError, os_error_text
from ramify.experiments.framework.experiment import SCALES, Experiment
from ramify.experiments.framework.findings import count_verdicts
from ramify.experiments.framework.outcomes import OUTCOMES, count_outcomes, outcomes
from ramify.experiments.framework.packed_rows import packed_file, packed_seed, read_packed
from ramify.experiments.framework.plan import ExperimentPlan
from ramify.experiments.framework.registry import experiments
from ramify.experiments.framework.reproduce import Reproduction, expected_false_verdicts
from ramify.experiments.framework.statements import Statements, papers, statements
from ramify.experiments.framework.work import CHUNK_TABLE
from ramify.output_files import check_replaceable
from ramify.paths import is_file
from ramify.runs.store import Reader
from ramify.runs.versions import versions

PICTURES = "pictures/reproduce-"
TITLE, COMMAND = "Reproductions", "ramify reproduce --page FILE"  # in every page

_is_page = page_with(f"# {TITLE}\n", COMMAND)


def page(
    path: str | Path,
    out: str | Path,
    scale: str = "quick",
    on_note: Callable[[str], object] = lambda _: None,
    results: str | Path | None = None,
) -> list[Path]:
    """Write the page from the finished runs in the folder ``out``, or from the packed rows in ``results``.

    Returns the paths of the files written. Each experiment is shown at the largest scale that was run, ``scale`` or
    above. ``on_note`` is called with notes on rows of the runs.
    """
    found = reproductions(out, scale, on_note, results)
    if not found:
        where = out if results is None else results
        raise RamifyError(f"no finished run of scale '{scale}' in {where}: run `ramify reproduce ID --scale {scale}`")
    try:
        check_replaceable(Path(path), _is_page)  # before drawing
        source = "" if results is None else " --results DIR"
        return write_markdown(Path(path), _blocks(found, f"{COMMAND} --scale {scale}{source}"), _is_page)
    except OSError as error:
        raise RamifyError(f"cannot write {path}: {os_error_text(error)}") from None


def reproductions(
    out: str | Path, scale: str, on_note: Callable[[str], object], results: str | Path | None
) -> list[Reproduction]:
    """Return all experiments that were run, each at the largest scale, ``scale`` or above."""
    if scale not in SCALES:
        next(iter(experiments().values())).scale(scale)
    scales = SCALES[SCALES.index(scale) :][::-1]

    def read(experiment: Experiment, name: str) -> Reproduction | None:
        if results is not None:
            return _read_packed(experiment, Path(results), name)
        return _read(experiment, Path(out), name, on_note)

    runs = ((read(one, name) for name in scales) for one in experiments().values())
    return [one for one in (next((run for run in of_one if run), None) for of_one in runs) if one]


def _read(experiment: Experiment, out: Path, scale: str, on_note: Callable[[str], object]) -> Reproduction | None:
    """Read the finished run of an experiment. Return None if the file does not exist."""
    run = out / f"{experiment.id}-{scale}.db"
    if not is_file(run):
        return None
    with Reader(run, CHUNK_TABLE) as reader:
        stored = reader.full_description()
        plan = ExperimentPlan.from_experiment(experiment, scale, stored["seed"])
        plan.check_same(run, stored)
        reader.compare(plan.misfit)
        records = list(reader.records())
        for note in reader.notes():
            on_note(f"{run.name}: {note}")
    found = Reproduction.from_records(plan, records, stored["versions"], os.fspath(run))
    if not found.complete:
        raise RamifyError(f"{run} is not finished: resume it with `ramify reproduce {experiment.id} --scale {scale}`")
    return found


def _read_packed(experiment: Experiment, folder: Path, scale: str) -> Reproduction | None:
    """Read the packed rows of an experiment. Return None if there are none, or points without any trials."""
    path = packed_file(folder, experiment, scale)
    if not is_file(path):
        return None
    plan = ExperimentPlan.from_experiment(experiment, scale, packed_seed(path))
    records = read_packed(path, plan)
    if not records:
        return None
    found = Reproduction.from_records(plan, records, records[-1][-1] or versions(), None)
    return found if found.findings.exhibits else None


def _blocks(found: Sequence[Reproduction], command: str) -> Iterator[Block]:
    yield Heading(TITLE, 1)
    yield Paragraph(
        "What the papers say, and what came out here. First the findings, then how many statements of each paper were"
        " reproduced, then one line per figure and table, and the details, folded. The page on experiments explains how"
        f" verdicts are reached. Intervals are 95 % intervals unless stated otherwise. '{command}' writes this page."
    )
    yield Heading("Findings", 2)
    for paper in _papers():
        yield Heading(f"{paper.paper}: {paper.title}", 3)
        yield from (Paragraph(line) for line in paper.findings.strip().splitlines() if line)
    yield from verdict_blocks(found)
    for words, of_papers in (("Experiments of the papers", True), ("Our own claims", False)):
        yield Heading(words, 2)
        for one in found:
            if any(claim.ours != of_papers for claim in one.findings.claims):
                yield Heading(
                    one.title if of_papers or not one.experiment.paper else f"{one.experiment.id}: beyond the paper", 3
                )
                unfinished = "" if one.complete else f" Unfinished: {one.progress} of its trials have been run."
                yield Paragraph(f"{one.experiment.shows} Scale: '{one.results.scale}'.{unfinished}")
                yield one.summary(_prefix(one), ours=not of_papers)
    yield Heading("Details", 2)
    for one in found:
        yield Heading(one.experiment.id, 3)
        yield Details(f"{one.experiment.id}, setup", list(one.setting()))
        yield from one.details(_prefix(one), 4)


def verdict_blocks(found: Sequence[Reproduction]) -> Iterator[Block]:
    """Yield a table per paper that counts its statements by outcome, and one of our own claims."""
    theirs = [claim for one in found for claim in one.findings.claims if not claim.ours]
    ours = [claim for one in found for claim in one.findings.claims if claim.ours]
    yield Heading("Verdicts", 2)
    yield Paragraph(
        "An effect is a statement that something makes a difference, a null that it makes none. A statement counts"
        " once, by its main reading. Those that no trial has measured yet are undecided."
    )
    for paper in _papers():
        yield Heading(paper.paper, 3)
        yield Table(["", "statements", *OUTCOMES], count_outcomes(paper, outcomes(paper, theirs)))
    yield Heading("Our own claims, which no paper makes", 3)
    yield Table(["", "hold", "do not hold", "undecided"], [[f"{len(ours)} claims", *count_verdicts(ours).split(" / ")]])
    yield Paragraph(expected_false_verdicts([*theirs, *ours]))


def _papers() -> list[Statements]:
    return [statements(folder) for folder in papers()]


def _prefix(one: Reproduction) -> str:
    return PICTURES + f"{one.experiment.id}-"
