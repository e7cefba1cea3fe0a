"""``ramify reproduce``: experiments of the papers, run again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ramify.cli.run_session import exit_interrupted, print_outcome, run_lines, run_with_display
from ramify.cli.shared_options import (
    AcceptChangeOption,
    ClusterOption,
    JsonOption,
    SeedOption,
    WorkersOption,
    announcing_compilation,
    print_json,
)
from ramify.errors import RamifyError

if TYPE_CHECKING:
    from ramify.experiments.framework.plan import ExperimentSession, TrialAggregator
    from ramify.runs.driver import Driver


def command(
    name: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The experiment, as --list names it, or ./mine.py.")
    ] = None,
    scale: Annotated[str, typer.Option(help="smoke (seconds), quick (minutes) or paper (the paper's size).")] = "quick",
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder for trials, page and pictures; the same command goes on.")
    ] = Path("out/reproduce"),
    listing: Annotated[bool, typer.Option("--list", help="Show all experiments and how long they take.")] = False,
    page: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page of all finished runs in DIR; nothing is run.")
    ] = None,
    seed: SeedOption = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    accept_change: AcceptChangeOption = False,
    json: JsonOption = False,
) -> None:
    """Run an experiment of a paper again: measured beside published, and a verdict for every claim.

    Example: ramify reproduce boxes --scale quick
    """
    if listing:
        print_list(json)
        return
    if page is not None:
        from ramify.experiments.framework.page import page as write

        if name is not None:
            raise RamifyError("a page is about all experiments: leave out the name, or leave out --page")
        written = write(page, out, scale)
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
        sitting = ExperimentSession(plan, run, accept_change=accept_change)
    with sitting:
        interrupted = run_missing(sitting, workers, cluster)
        result = Reproduction.from_session(sitting)
        files = [] if interrupted else result.write(out)
        missing = sitting.driver.total - sitting.driver.done
    lines = ["", *run_lines(sitting), *(f"file      {path}" for path in files)]
    print_outcome(result, json, lines, files=[str(path) for path in files])
    if interrupted:
        exit_interrupted(f"{missing:,} parts are missing; `{result.command}` goes on")


def run_missing(sitting: ExperimentSession, workers: int | None, cluster: str | None) -> bool:
    """Do what is missing; whether Ctrl-C ended it."""
    from ramify.runs.live_display import MAX_TABLE_ROWS
    from ramify.runs.pools.factory import pool_factory

    def table(driver: Driver[TrialAggregator]) -> Any:
        from rich.table import Table
        from rich.text import Text

        drawn = Table(caption=status(driver))
        drawn.add_column("point")
        drawn.add_column("trials", justify="right")
        for point in sitting.plan.points[:MAX_TABLE_ROWS]:
            drawn.add_row(Text(point.key), f"{driver.aggregator.trials[point.key]:,}/{point.trials:,}")
        return drawn

    pool = pool_factory(workers, cluster)
    return run_with_display(sitting, pool, "parts", status, table)


def status(driver: Driver[TrialAggregator]) -> str:
    """One line about how far it is."""
    from ramify.runs.live_display import duration

    rate = f"{driver.jobs_per_second():.2f} parts/s"
    return f"{driver.done:,}/{driver.total:,} parts, {rate}, {duration(driver.seconds_left())} left"


def print_list(json: bool) -> None:
    """All experiments."""
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
    """A time in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
