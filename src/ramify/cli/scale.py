"""``ramify scale``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.options import GamesOptions, with_groups
from ramify.cli.run_session import print_result, run_games
from ramify.cli.shared_options import GameArgument, JsonOption

if TYPE_CHECKING:
    from ramify.arena.matches.match_plan import MatchPlan


@with_groups
def command(
    *,
    game: GameArgument,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent, e.g. 'uct(c=0.7)'.")],
    simulations: Annotated[int, typer.Option(metavar="FIRST", help="Smallest budget, in simulations per move.")],
    doublings: Annotated[int, typer.Option(metavar="K", help="Number of doublings.")] = 4,
    games: Annotated[
        int | None, typer.Option(help="Games per doubling, rounded up to whole pairs. (default: 100)")
    ] = None,
    options: GamesOptions,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for a report with the curve.")] = None,
    json: JsonOption = False,
) -> None:
    """Measure what each doubling of the budget is worth in Elo.

    Example: ramify scale connect4 'uct(c=0.7)' --simulations 100 --doublings 4 --games 200 --run scale.db
    """
    from ramify.arena.matches.scale import ScaleResult, plan_scale
    from ramify.arena.matches.session import MatchSession
    from ramify.arena.reports.run_report import check_report_folder, write_report

    if out is not None:
        check_report_folder(out)

    def plan() -> MatchPlan:
        return plan_scale(
            game, agent, simulations=simulations, doublings=doublings, games=games, **options.plan_arguments()
        )

    with run_games(MatchSession, plan, options) as session:
        result = ScaleResult.from_session(session)
        print_result(result, session, json)
        if out is not None and result.games:
            page = write_report([session.store], out).html
            print(f"report    {page}", file=sys.stderr if json else sys.stdout)
