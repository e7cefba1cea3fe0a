"""``ramify reproduce``."""

from __future__ import annotations

import sys
from pathlib import Path
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
    from ramify.experiments.framework.plan import ExperimentSession, TrialAggregator
    from ramify.runs.driver import Driver


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Experiment id (see --list), or ./mine.py.")
    ] = None,
    scale: Annotated[str, typer.Option(help="smoke (seconds), quick (minutes) or paper (the paper's size).")] = "quick",
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder for trials, page and pictures; the same command resumes.")
    ] = Path("out/reproduce"),
    listing: Annotated[bool, typer.Option("--list", help="List all experiments and how long they take.")] = False,
    page: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page about all finished runs in DIR, without running anything."),
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
    if listing:
        print_list(json)
        return
    if page is not None:
        from ramify.experiments.framework.page import page as write

        if name is not None:
            raise RamifyError("--page writes about all experiments: remove the name")
        written = write(page, out, scale, lambda note: print(f"note: {note}", file=sys.stderr))
        if json:
            print_json({"files": [str(path) for path in written]})
        for path in [] if json else written:
            print(f"{path.stat().st_size / 1000:>8,.0f} kB  {path}")
        return
    from ramify.experiments.framework.plan import ExperimentPlan, ExperimentSession
    from ramify.experiments.framework.registry import LISTING, experiment
    from ramify.experiments.framework.reproduce import Reproduction, run_file

    if name is None:
        raise RamifyError(f"name an experiment; {LISTING}")
    found = experiment(name)
    plan = ExperimentPlan.from_experiment(found, scale, seed)
    run = run_file(out, found, scale)
    with announcing_compilation():
        session = ExperimentSession(plan, run, accept_change=accept_change)
    with session:
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
        for point in session.plan.points[:MAX_TABLE_ROWS]:
            drawn.add_row(Text(printable(point.key)), f"{driver.aggregator.trials[point.key]:,}/{point.trials:,}")
        return drawn

    pool = pool_factory(workers, cluster)
    return run_with_display(session, pool, "parts", status, table)


def status(driver: Driver[TrialAggregator]) -> str:
    from ramify.runs.live_display import duration

    rate = f"{driver.jobs_per_second():.2f} parts/s"
    return f"{driver.done:,}/{driver.total:,} parts, {rate}, {duration(driver.seconds_left())} left"


def print_list(json: bool) -> None:
    from ramify.experiments.framework.registry import experiments

    if json:
        print_json(
            [
                {
                    "id": one.id,
                    "paper": one.paper,
                    "part": one.part,
                    "shows": one.shows,
                    "seconds": {name: scale.seconds for name, scale in one.scales.items()},
                }
                for one in experiments().values()
            ]
        )
        return
    for one in experiments().values():
        times = ", ".join(f"{name} {duration_text(scale.seconds)}" for name, scale in one.scales.items())
        print(f"{one.id}\n  {one.published}\n  {one.shows}\n  on two cores: {times}")


def duration_text(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
