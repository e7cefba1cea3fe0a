"""``ramify scale``: one agent's strength as its budget doubles."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ramify.cli.common import (
    GameArgument,
    JsonOption,
    OpeningPliesOption,
    OpeningsOption,
    RunOption,
    SeedOption,
    WorkersOption,
    print_json,
    saying_when_compiling,
)
from ramify.cli.match import play, print_end


def command(
    game: GameArgument,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent, for example 'uct(c=0.7)'.")],
    simulations: Annotated[int, typer.Option(metavar="FIRST", help="The smallest budget, in simulations a move.")],
    doublings: Annotated[int, typer.Option(metavar="K", help="How often the budget doubles.")] = 4,
    games: Annotated[int | None, typer.Option(help="Games of each doubling, rounded up to whole pairs; 100.")] = None,
    opening_plies: OpeningPliesOption = None,
    openings: OpeningsOption = None,
    seed: SeedOption = None,
    run: RunOption = None,
    workers: WorkersOption = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="A folder for the report with the curve.")] = None,
    json: JsonOption = False,
) -> None:
    """Play twice the budget against the budget, again and again, and say what each doubling gains.

    Example: ramify scale connect4 'uct(c=0.7)' --simulations 100 --doublings 4 --games 200 --run scale.db
    """
    from ramify.arena.matches.scale import ScaleResult, plan_scale
    from ramify.arena.reports.run_report import check_folder, write_report
    from ramify.runs.sitting import Session

    if out is not None:
        check_folder(out)
    with saying_when_compiling():
        plan = plan_scale(
            game,
            agent,
            simulations=simulations,
            doublings=doublings,
            games=games,
            opening_plies=opening_plies,
            openings=openings,
            seed=seed,
        )
        session = Session(plan, run)
    with session:
        interrupted = play(session, workers)
        result = ScaleResult.of(session)
        if json:
            print_json(result.data())
        else:
            print(result)
            print()
            print_end(session)
        if out is not None and result.games:
            page = write_report([session.store], out).html
            print(f"report    {page}", file=sys.stderr if json else sys.stdout)
    if interrupted:
        sys.exit(130)
