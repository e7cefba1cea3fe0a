"""``ramify report``: what runs say, as a page with pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ramify.cli.common import JsonOption, print_json


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Files of matches and tournaments.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder for the report; RUN-report beside the first run if not given."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write a report of runs: one HTML file that needs nothing else, and Markdown with its pictures beside it.

    Example: ramify report cup.db

    Example: ramify report cup.db league.db --out out/both
    """
    from ramify.arena.reports.run_report import write_report

    first = runs[0].resolve()
    written = write_report(runs, runs[0].parent / f"{first.stem}-report" if out is None else out)
    if json:
        print_json(
            {"html": str(written.html), "markdown": str(written.markdown), "pictures": [*map(str, written.pictures)]}
        )
        return
    for path in (written.html, written.markdown, *written.pictures):
        print(f"{path.stat().st_size / 1000:>8,.0f} kB  {path}")
