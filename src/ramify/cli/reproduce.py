"""``ramify reproduce``."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import shorten, wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ramify.cli.run_session import exit_interrupted, print_outcome, run_lines, run_with_display
from ramify.cli.shared_options import (
    AcceptEditsOption,
    ClusterOption,
    JsonOption,
    SeedOption,
    WorkersOption,
    announcing_compilation,
    print_json,
)
from ramify.errors import RamifyError
from ramify.terminal import printable

if TYPE_CHECKING:
    from ramify.experiments.framework.experiment import Experiment
    from ramify.experiments.framework.plan import ExperimentSession, TrialAggregator
    from ramify.runs.driver import Driver

WIDTH = 80
# Units of durations: seconds per unit, and the first duration that is too long for it.
UNITS = (
    ("second", 1, 90),
    ("minute", 60, 90 * 60),
    ("hour", 3600, 36 * 3600),
    ("day", 86_400, 14 * 86_400),
    ("week", 7 * 86_400, 70 * 86_400),
    ("month", 30 * 86_400, 540 * 86_400),
    ("year", 365 * 86_400, float("inf")),
)


def command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID]", help="Experiment id, words such as 'pepels table 3', or ./mine.py."),
    ] = None,
    scale: Annotated[str, typer.Option(help="smoke (seconds), quick (minutes) or paper (the paper's size).")] = "quick",
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for trials, page and pictures; the same command resumes.")
    ] = Path("out/reproduce"),
    listing: Annotated[
        bool, typer.Option("--list", help="List all experiments, or those that match, and how long they take.")
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page about all finished runs in DIR, without running anything."),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder of packed rows: start from them, and write all rows back."),
    ] = None,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    accept_change: AcceptEditsOption = False,
    json: JsonOption = False,
) -> None:
    """Reproduce a paper's experiment: measured next to published figures, with a verdict for every claim.

    Example: ramify reproduce boxes --scale quick
    """
    name = " ".join(words) if words else None
    if listing:
        print_list(name, json)
        return
    if page is not None:
        from ramify.experiments.framework.page import page as write

        if name is not None:
            raise RamifyError("--page writes about all experiments: remove the name")
        written = write(page, out, scale, lambda note: print(f"note: {note}", file=sys.stderr), results)
        if json:
            print_json({"files": [str(path) for path in written]})
        for path in [] if json else written:
            print(f"{path.stat().st_size / 1000:>8,.0f} kB  {path}")
        return
    from ramify.experiments.framework.plan import ExperimentPlan, ExperimentSession
    from ramify.experiments.framework.registry import LISTING, experiment
    from ramify.experiments.framework.reproduce import Reproduction, packing, run_file

    if name is None:
        raise RamifyError(f"name an experiment; {LISTING}")
    found = experiment(name)
    if not found.file and found.id != name:
        print(f"{name}: {found.id}, {found.published}", file=sys.stderr)
    plan = ExperimentPlan.from_experiment(found, scale, seed)
    run = run_file(out, found, scale)
    with announcing_compilation():
        session = ExperimentSession(plan, run, accept_change=accept_change)
    with session, packing(session, results):
        interrupted = run_missing(session, workers, cluster)
        result = Reproduction.from_session(session)
        files = [] if interrupted else result.write(out)
        missing = session.driver.total - session.driver.done
    lines = ["", *run_lines(session), *(f"file      {path}" for path in files)]
    print_outcome(result, json, lines, files=[str(path) for path in files])
    if interrupted:
        exit_interrupted(f"{missing:,} parts are missing; resume with `{result.command}`")


def run_missing(session: ExperimentSession, workers: int | None, cluster: str | None) -> bool:
    """Run the missing parts. Return whether Ctrl-C ended it."""
    from ramify.runs.live_display import MAX_TABLE_ROWS
    from ramify.runs.pools.factory import pool_factory

    def table(driver: Driver[TrialAggregator]) -> Any:
        from rich.table import Table
        from rich.text import Text

        drawn = Table(caption=status(driver))
        drawn.add_column("point")
        drawn.add_column("trials", justify="right")
        for point in session.plan.needed[:MAX_TABLE_ROWS]:
            drawn.add_row(Text(printable(point.key)), f"{driver.aggregator.trials[point.key]:,}/{point.trials:,}")
        return drawn

    pool = pool_factory(workers, cluster)
    return run_with_display(session, pool, "parts", status, table)


def status(driver: Driver[TrialAggregator]) -> str:
    from ramify.runs.live_display import duration

    rate = f"{driver.jobs_per_second():.2f} parts/s"
    return f"{driver.done:,}/{driver.total:,} parts, {rate}, {duration(driver.seconds_left())} left"


def print_list(words: str | None, json: bool) -> None:
    """Print all experiments, or those that match, by paper."""
    from ramify.experiments.framework.registry import experiments, matching

    listed = experiments(parts=True).values() if words is None else matching(words)
    if words is not None and not listed:
        raise RamifyError(f"no experiment matches '{words}': use words such as an author, a year or 'table 3'")
    if json:
        print_json(
            [
                {
                    "id": one.id,
                    "paper": one.paper,
                    "part": one.part,
                    "shows": one.shows,
                    "seconds": {name: scale.seconds for name, scale in one.scales.items()},
                    "whole": one.whole.id if one.whole else None,
                }
                for one in listed
            ]
        )
        return
    for paper in dict.fromkeys(sorted((one.paper for one in listed), key=lambda name: (not name, name))):
        print("\n".join(wrap(paper or "Our own studies", WIDTH)))
        for one in listed:
            if one.paper == paper:
                print("\n".join(list_entry(one)))
        print()
    print("In brackets: durations on two cores at the scales quick and paper.")


def list_entry(one: Experiment) -> list[str]:
    """Return the lines of an experiment in the list."""
    if one.whole is not None:
        return [f"    {one.id:<26}  {shorten(one.part, WIDTH - 32, placeholder=' ...')}"]
    quick, paper = (duration_text(one.scales[name].seconds) for name in ("quick", "paper"))
    first = f"  {one.id:<20}  {one.part}"
    times = f"{quick}; {paper}"
    lines = wrap(first, WIDTH, subsequent_indent=" " * 24, drop_whitespace=True)
    lines[0] = first[:2] + lines[0].lstrip()
    about = wrap(f"{one.shows} ({times})", WIDTH - 6)
    return [*lines, *(f"      {line}" for line in about)]


def duration_text(seconds: float) -> str:
    """Return a duration as people say it: ``40 seconds``, ``12 minutes``, ``3 hours``, ``5 weeks``."""
    for unit, size, most in UNITS:
        if seconds < most:
            number = max(1, round(seconds / size))
            return f"{number} {unit}{'s' if number > 1 else ''}"
    raise AssertionError
