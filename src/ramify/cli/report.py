"""``ramify report``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ramify.cli.shared_options import JsonOption, print_json
from ramify.errors import RamifyError
from ramify.paths import resolved


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Files of matches and tournaments.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Output folder. (default: RUN-report next to the first run)"),
    ] = None,
    salvage: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Instead of a report, copy the readable rows of a damaged run to this new file."
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Write a report of runs: one self-contained HTML file, and Markdown with pictures.

    Exits with 1 if it left out rows that do not match their digest or the run's plan, or a part of a damaged log.

    Example: ramify report cup.db

    Example: ramify report cup.db league.db --out out/both
    """
    if salvage is not None:
        salvage_run(runs, salvage, json)
        return
    from ramify.arena.reports.run_report import write_report

    first = resolved(runs[0])
    written = write_report(runs, runs[0].parent / f"{first.stem}-report" if out is None else out)
    for note in written.notes:
        print(f"note: {note}", file=sys.stderr)
    if json:
        pictures = [*map(str, written.pictures)]
        print_json(
            {
                "html": str(written.html),
                "markdown": str(written.markdown),
                "pictures": pictures,
                "left_out": written.left_out,
                "left_out_frames": written.left_out_frames,
            }
        )
    else:
        for path in (written.html, written.markdown, *written.pictures):
            print(f"{path.stat().st_size / 1000:>8,.0f} kB  {path}")
    if written.left_out or written.left_out_frames:
        sys.exit(1)


def salvage_run(runs: list[Path], new: Path, json: bool) -> None:
    """Copy the readable rows of a run of any kind."""
    from ramify.arena.kilothon.rows import KILOTHON_TABLE
    from ramify.arena.managed.rows import MATCH_TABLE
    from ramify.arena.matches.rows import GAME_TABLE
    from ramify.experiments.framework.work import CHUNK_TABLE
    from ramify.runs.salvage.salvage import salvage

    if len(runs) != 1:
        raise RamifyError(f"--salvage takes one run, not {len(runs)}")
    salvaged = salvage(runs[0], new, (GAME_TABLE, CHUNK_TABLE, MATCH_TABLE, KILOTHON_TABLE))
    if json:
        print_json(salvaged.to_dict())
    else:
        print(salvaged)
