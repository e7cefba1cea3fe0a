"""Run an experiment of a paper again, and say what came out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
    Picture,
    Table,
    Thumbnail,
    as_markdown,
    flat,
)
from ramify.arena.reports.run_report import check_folder
from ramify.errors import RamifyError, os_error_text
from ramify.experiments.framework.claims import ERROR, Claim
from ramify.experiments.framework.experiment import Experiment, Results
from ramify.experiments.framework.findings import Findings, count_verdicts
from ramify.experiments.framework.plan import ExperimentPlan, ExperimentSession, TrialAggregator, read_results, spent
from ramify.experiments.framework.registry import experiment as find
from ramify.runs.driver import Driver
from ramify.runs.pools.factory import pool_factory
from ramify.runs.pools.pool import PoolMaker


@dataclass(frozen=True)
class Reproduction:
    """What an experiment found: ``findings.claims`` are the verdicts, ``results`` the sums behind them."""

    experiment: Experiment
    results: Results
    findings: Findings
    seconds: float  # that workers were busy
    day: str  # when the last trial ended
    versions: str
    run: str | None

    @property
    def complete(self) -> bool:
        """Whether all trials were carried out."""
        return self.results.complete

    @classmethod
    def from_session(cls, sitting: ExperimentSession) -> Reproduction:
        """The result so far."""
        experiment, results = sitting.plan.experiment, read_results(sitting.plan, sitting.store)
        seconds, day = spent(sitting.store)
        return cls(
            experiment=experiment,
            results=results,
            findings=experiment.findings(results) if _every_point(results) else Findings(),
            seconds=seconds,
            day=day,
            versions=sitting.store.description()["versions"],
            run=sitting.store.name,
        )

    @property
    def command(self) -> str:
        """What to type to see it again."""
        name = self.experiment.file or self.experiment.id
        seed = "" if self.results.seed == self.experiment.seed else f" --seed {self.results.seed}"
        return f"ramify reproduce {name} --scale {self.results.scale}{seed}"

    @property
    def setup(self) -> str:
        """The settings of this scale in words."""
        return self.experiment.setup.format(**self.results.sizes)

    def to_dict(self) -> dict[str, Any]:
        """As plain data, for JSON."""
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
            **self.findings.to_dict(),
            "seconds": round(self.seconds, 3),
            "versions": self.versions,
            "run": self.run,
        }

    def summary(self, prefix: str = "", ours: bool = False) -> Table:
        """One line an exhibit: its picture, what the paper says, what came out, and how many claims did.

        With ``ours`` of the claims that no paper makes.
        """
        words = "holds / does not / open" if ours else "reproduced / not / open"
        rows: list[list[Cell]] = []
        for one in self.findings.exhibits:
            chosen = [claim for claim in one.claims if claim.ours == ours]
            if ours and not chosen:
                continue
            picture = one.figures[0] if one.figures else None
            came_out = one.open_claims(ours) or ("as said" if chosen else "")
            shows = one.says if not ours else one.shows
            rows.append(
                [
                    one.name,
                    Thumbnail(f"{prefix}{picture.name}.png", picture.words) if picture else "",
                    shows or f"{one.shows}: no statement to test",
                    came_out,
                    count_verdicts(chosen),
                ]
            )
        what = "study" if ours else "figure or table"
        return Table(
            [what, "picture", "what it is about" if ours else "the paper says", "what came out", words], rows, 5
        )

    def setting(self) -> Iterator[Block]:
        """What was run, when, and how to run it again."""
        yield Paragraph(self.setup)
        yield Code(self.command)
        yield Paragraph(
            f"Run on {self.day} with {self.versions}, seed {self.results.seed}: {self.results.trials:,} trials in"
            f" {self.seconds:,.0f} s of the workers' time."
        )
        if not self.complete:
            yield Paragraph("Unfinished: the same command goes on.", warning=True)

    def details(self, prefix: str = "", level: int = 3) -> Iterator[Block]:
        """Every exhibit, folded, and the notes."""
        for one in self.findings.exhibits:
            yield Details(f"{self.experiment.id}, {one.title}", list(one.blocks(prefix, level)))
        if self.findings.notes:
            yield Details(f"{self.experiment.id}, notes", [Paragraph(note) for note in self.findings.notes])

    def blocks(self, prefix: str = "") -> Iterator[Block]:
        """A page about it; pictures are named with the prefix."""
        yield Heading(self.title, 1)
        yield Paragraph(self.experiment.shows)
        yield from self.setting()
        yield from self.summaries(prefix)
        yield Paragraph(expected_false_verdicts(self.findings.claims))
        yield Heading("Details", 2)
        yield from self.details(prefix)

    def summaries(self, prefix: str) -> Iterator[Block]:
        """What the paper says, and what we do."""
        claims = self.findings.claims
        if any(not claim.ours for claim in claims):
            yield self.summary(prefix)
        if any(claim.ours for claim in claims):
            yield Paragraph("Claims of ours, which no paper makes:")
            yield self.summary(prefix, ours=True)

    @property
    def title(self) -> str:
        """What it is about."""
        return f"{self.experiment.id}: {self.experiment.published}"

    def write(self, folder: Path) -> list[Path]:
        """Write the page and its pictures to a folder; their paths."""
        stem = f"{self.experiment.id}-{self.results.scale}"
        blocks = list(self.blocks(f"{stem}-"))
        try:
            return write_page(folder / f"{stem}.md", blocks)
        except OSError as error:
            raise RamifyError(f"the report cannot be written to {folder}: {os_error_text(error)}") from None

    def __str__(self) -> str:
        lines = [self.title, self.setup, "", *self.findings.lines()]
        if self.findings.claims:
            lines.append(expected_false_verdicts(self.findings.claims))
        return "\n".join(lines)


def expected_false_verdicts(claims: Sequence[Claim]) -> str:
    """How many false verdicts chance may bring."""
    count = sum(bool(claim.verdict.estimates) and not claim.family for claim in claims)
    families = {claim.family for claim in claims} - {""}
    single = (
        f"A verdict is wrong with a probability of at most {100 * ERROR:g} %, so that at most {count * ERROR:.2g} false"
        f" ones are to be expected in {count}."
    )
    study = (
        " The verdicts of a study that were corrected together are all right with a probability of at least 95 %."
        if families
        else ""
    )
    return (single if count else "") + study


def _every_point(results: Results) -> bool:
    return all(measured.trials for measured in results.values())


def write_page(path: Path, blocks: list[Block]) -> list[Path]:
    """Write Markdown and, beside it or in the folder that their names say, its pictures."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(as_markdown(blocks), encoding="utf-8")
    written = [path]
    for block in flat(blocks):
        if isinstance(block, Picture):
            place = path.parent / block.name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(block.png)
            written.append(place)
    return written


def run_file(out: Path, experiment: Experiment, scale: str) -> Path:
    """Where a run is kept; the folder is made."""
    check_folder(out)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RamifyError(f"{out} cannot be made: {os_error_text(error)}") from None
    return out / f"{experiment.id}-{scale}.db"


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
) -> Reproduction:
    """Run the experiment of that id (or in that file) again at a scale: smoke, quick or paper.

    With ``out=DIR`` trials are kept in DIR/ID-SCALE.db, the same call goes on where it stopped, and the page and its
    pictures are written beside it. The seed is the experiment's own unless given.
    """
    one = find(name)
    plan = ExperimentPlan.from_experiment(one, scale, seed)
    run = None if out is None else run_file(Path(out), one, scale)
    pool = pool_factory(workers, cluster)
    with ExperimentSession(plan, run, accept_change=accept_change) as sitting:
        sitting.run(pool, progress or (lambda _: None))
        result = Reproduction.from_session(sitting)
    if out is not None:
        result.write(Path(out))
    return result
