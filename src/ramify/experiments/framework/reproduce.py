"""Reproduce an experiment and report the results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ramify.arena.reports.document import (
    Block,
    Cell,
    Code,
    Details,
    Heading,
    Paragraph,
    Table,
    Thumbnail,
    as_markdown,
)
from ramify.arena.reports.page_files import page_with, write_markdown
from ramify.arena.reports.run_report import check_folder
from ramify.errors import RamifyError, os_error_text
from ramify.experiments.framework.claims import ERROR, Claim
from ramify.experiments.framework.experiment import NO_VERDICTS, Experiment, Results
from ramify.experiments.framework.findings import Findings, count_verdicts
from ramify.experiments.framework.packed_rows import check_packed, packed_file, restore, write_packed
from ramify.experiments.framework.plan import ExperimentPlan, ExperimentSession, TrialAggregator, results_of, spent
from ramify.experiments.framework.registry import experiment as find
from ramify.numpy_scalars import accepting_numpy
from ramify.old_names import old_members
from ramify.output_files import check_replaceable
from ramify.runs.driver import Driver
from ramify.runs.jobs import Record
from ramify.runs.pools.factory import pool_factory
from ramify.runs.pools.pool import PoolMaker

TOO_FEW = "This scale shows that the experiment runs. It has too few trials for verdicts: use --scale quick."


@old_members(data="to_dict")
@dataclass(frozen=True)
class Reproduction:
    """Results of an experiment: ``findings.claims`` are the verdicts, ``results`` the sums behind them."""

    experiment: Experiment
    results: Results
    findings: Findings
    seconds: float  # total work of all workers
    day: str  # on which the last trial finished
    versions: str
    run: str | None

    @property
    def complete(self) -> bool:
        return self.results.complete

    @classmethod
    def from_session(cls, session: ExperimentSession) -> Reproduction:
        """Return the results so far."""
        versions = session.store.description()["versions"]
        return cls.from_records(session.plan, list(session.store.records()), versions, session.store.name)

    @classmethod
    def from_records(
        cls, plan: ExperimentPlan, records: Sequence[Record], versions: str, run: str | None
    ) -> Reproduction:
        """Return the results of the rows of a run. Findings are empty until every point has trials."""
        results = results_of(plan, records)
        seconds, day = spent(records)
        return cls(
            experiment=plan.experiment,
            results=results,
            findings=plan.experiment.findings(results) if _every_point(results) else Findings(),
            seconds=seconds,
            day=day,
            versions=versions,
            run=run,
        )

    @property
    def progress(self) -> str:
        """Share of the trials that have been run."""
        return f"{self.results.trials / sum(one.point.trials for one in self.results.values()):.0%}"

    @property
    def judges(self) -> bool:
        """Whether the scale has enough trials for verdicts; smoke does not."""
        return self.results.scale not in NO_VERDICTS

    @property
    def command(self) -> str:
        """The command that reproduces it."""
        name = self.experiment.file or self.experiment.id
        seed = "" if self.results.seed == self.experiment.seed else f" --seed {self.results.seed}"
        return f"ramify reproduce {name} --scale {self.results.scale}{seed}"

    @property
    def setup(self) -> str:
        """The settings at this scale."""
        return self.experiment.setup.format(**self.results.sizes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, for JSON."""
        results = self.results
        return {
            "experiment": self.experiment.id,
            "paper": self.experiment.paper,
            "part": self.experiment.part,
            "scale": results.scale,
            "setup": self.setup,
            "seed": results.seed,
            "complete": results.complete,
            "trials": {key: measured.trials for key, measured in results.items()},
            **self.findings.to_dict(self.judges),
            "seconds": round(self.seconds, 3),
            "versions": self.versions,
            "run": self.run,
        }

    def summary(self, prefix: str = "", ours: bool = False) -> Table:
        """Return a table with one row per exhibit: picture, the paper's statements, failed and open claims, counts.

        ``ours=True`` covers our own claims instead of the paper's.
        """
        words = "holds / does not / open" if ours else "reproduced / not / open"
        rows: list[list[Cell]] = []
        for one in self.findings.exhibits:
            chosen = [claim for claim in one.claims if claim.ours == ours]
            if ours and not chosen:
                continue
            picture = one.figures[0] if one.figures else None
            result = one.open_claims(ours) or ("as claimed" if chosen else "")
            shows = one.says if not ours else one.shows
            rows.append(
                [
                    one.name,
                    Thumbnail(f"{prefix}{picture.name}.png", picture.words) if picture else "",
                    shows or f"{one.shows}: no statement to test",
                    result,
                    count_verdicts(chosen),
                ]
            )
        what = "study" if ours else "figure or table"
        return Table([what, "picture", "topic" if ours else "the paper says", "result", words], rows, 5)

    def setting(self) -> Iterator[Block]:
        """Yield what was run, when, and the command to run it again."""
        yield Paragraph(self.setup)
        yield Code(self.command)
        yield Paragraph(
            f"Run on {self.day} with {self.versions}, seed {self.results.seed}: {self.results.trials:,} trials in"
            f" {self.seconds:,.0f} s of worker time."
        )
        if not self.complete:
            yield Paragraph("Unfinished: the same command resumes.", warning=True)

    def details(self, prefix: str = "", level: int = 3) -> Iterator[Block]:
        """Yield every exhibit and the notes, folded."""
        for one in self.findings.exhibits:
            yield Details(f"{self.experiment.id}, {one.title}", list(one.blocks(prefix, level, self.judges)))
        if self.findings.notes:
            yield Details(f"{self.experiment.id}, notes", [Paragraph(note) for note in self.findings.notes])

    def blocks(self, prefix: str = "") -> Iterator[Block]:
        """Yield the experiment's own page. ``prefix`` precedes the file names of pictures."""
        yield Heading(self.title, 1)
        yield Paragraph(self.experiment.shows)
        yield from self.setting()
        if self.judges:
            yield from self.summaries(prefix)
            yield Paragraph(expected_false_verdicts(self.findings.claims))
        else:
            yield Paragraph(TOO_FEW)
        yield Heading("Details", 2)
        yield from self.details(prefix)

    def summaries(self, prefix: str) -> Iterator[Block]:
        """Yield the summary of the paper's statements, then that of our own claims."""
        claims = self.findings.claims
        if any(not claim.ours for claim in claims):
            yield self.summary(prefix)
        if any(claim.ours for claim in claims):
            yield Paragraph("Our own claims, which no paper makes:")
            yield self.summary(prefix, ours=True)

    @property
    def title(self) -> str:
        return f"{self.experiment.id}: {self.experiment.published}"

    def write(self, folder: Path) -> list[Path]:
        """Write the page and its pictures to a folder. Return their paths."""
        stem = f"{self.experiment.id}-{self.results.scale}"
        blocks = list(self.blocks(f"{stem}-"))
        try:
            return write_markdown(
                page_file(folder, self.experiment, self.results.scale), blocks, _is_page(self.experiment)
            )
        except OSError as error:
            raise RamifyError(f"cannot write the report to {folder}: {os_error_text(error)}") from None

    def __str__(self) -> str:
        lines = [self.title, self.setup, "", *self.findings.lines(self.judges)]
        if self.findings.claims:
            lines.append(expected_false_verdicts(self.findings.claims) if self.judges else TOO_FEW)
        return "\n".join(lines)


def expected_false_verdicts(claims: Sequence[Claim]) -> str:
    """Return a note on how many verdicts may be wrong by chance."""
    count = sum(bool(claim.verdict.estimates) and not claim.family for claim in claims)
    families = {claim.family for claim in claims} - {""}
    single = (
        f"A verdict is wrong with probability at most {100 * ERROR:g} %, so expect at most {count * ERROR:.2g} false"
        f" verdicts among {count}."
    )
    study = (
        " Verdicts of a study that were corrected together are all right with probability at least 95 %."
        if families
        else ""
    )
    return (single if count else "") + study


def _every_point(results: Results) -> bool:
    return all(measured.trials for measured in results.values())


def _is_page(experiment: Experiment) -> Callable[[bytes], bool]:
    return page_with(as_markdown([Heading(f"{experiment.id}:", 1)]).rstrip(), "\nramify reproduce ")


def page_file(out: Path, experiment: Experiment, scale: str) -> Path:
    """Return the path of an experiment's page."""
    return out / f"{experiment.id}-{scale}.md"


def run_file(out: Path, experiment: Experiment, scale: str) -> Path:
    """Return the path of a run, and create its folder. Raise if a page there is not of Ramify."""
    check_folder(out)
    try:
        check_replaceable(page_file(out, experiment, scale), _is_page(experiment))
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RamifyError(f"cannot create {out}: {os_error_text(error)}") from None
    return out / f"{experiment.run_id}-{scale}.db"


@contextmanager
def packing(session: ExperimentSession, folder: str | Path | None) -> Iterator[None]:
    """Start a run from the packed rows in a folder, and write all rows back at the end, whatever ends it."""
    if folder is None:
        yield
        return
    path = packed_file(Path(folder), session.plan.experiment, session.plan.scale)
    check_packed(path, session.plan)
    restore(session, path)
    try:
        yield
    finally:
        session.store.flush()
        write_packed(path, session.plan, session.store.records())


@accepting_numpy
def reproduce(
    name: str,
    *,
    scale: str = "quick",
    out: str | Path | None = None,
    seed: int | None = None,
    workers: int | PoolMaker | None = None,
    cluster: object = None,
    progress: Callable[[Driver[TrialAggregator]], object] | None = None,
    accept_change: bool = False,
    results: str | Path | None = None,
) -> Reproduction:
    """Reproduce an experiment, given its id or file, at one of the scales smoke, quick and paper.

    With ``out=DIR`` trials are stored in DIR/ID-SCALE.db, the same call resumes, and the page and its pictures are
    written to DIR. ``seed`` defaults to the experiment's own. ``results=DIR`` starts from the packed rows in
    DIR/ID-SCALE.jsonl.xz, if they exist, and writes them back.
    """
    one = find(name)
    plan = ExperimentPlan.from_experiment(one, scale, seed)
    run = None if out is None else run_file(Path(out), one, scale)
    pool = pool_factory(workers, cluster)
    with ExperimentSession(plan, run, accept_change=accept_change) as session, packing(session, results):
        session.run(pool, progress or (lambda _: None))
        result = Reproduction.from_session(session)
    if out is not None:
        result.write(Path(out))
    return result
