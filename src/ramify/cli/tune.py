"""``ramify tune``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.options import BudgetOptions, GamesOptions, with_groups
from ramify.cli.run_session import print_outcome, run_games, run_lines
from ramify.cli.shared_options import GameArgument, JsonOption

if TYPE_CHECKING:
    from ramify.arena.tuning.tune import TunePlan


@with_groups
def command(
    *,
    game: GameArgument,
    agent: Annotated[
        str,
        typer.Argument(
            metavar="AGENT", help="Agent with ranges: 'uct(c=0.1..2.0)', 'uct(c=log(0.01..10))' or 'name={a|b}'."
        ),
    ],
    against: Annotated[str, typer.Option(help="Agent that all candidates play against.")],
    trials: Annotated[
        int | None, typer.Option(help="Number of candidates to try; you can add more later. (default: 30)")
    ] = None,
    games: Annotated[
        int | None, typer.Option(help="Games per candidate, rounded up to whole pairs. (default: 40)")
    ] = None,
    confirm: Annotated[
        int | None, typer.Option(help="Games that confirm the best candidate at the end. (default: 4 x --games)")
    ] = None,
    budget: BudgetOptions,
    options: GamesOptions,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for a picture of the response surface, tune.png.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Tune an agent's parameters with Optuna, by games against a reference agent.

    Example: ramify tune connect4 'uct(c=0.1..2.0)' --against 'uct(c=0.7)' --simulations 200 --run tune.db
    """
    from ramify.arena.reports.run_report import check_folder
    from ramify.arena.tuning.surface_plot import check_picture, draw
    from ramify.arena.tuning.tune import TuningSession, plan_tune

    if out is not None:
        check_folder(out)
        check_picture(out)

    def plan() -> TunePlan:
        return plan_tune(
            game,
            agent,
            against,
            limits=budget.limits(),
            trials=trials,
            games=games,
            confirm=confirm,
            **options.plan_arguments(),
        )

    more = "" if options.run is None else "; the same command resumes"
    with run_games(TuningSession, plan, options, f"these are the trials so far{more}") as tuning:
        result = tuning.result()
        picture = str(draw(result, out)) if out is not None and result.trials else None
        drawn = [] if picture is None else [f"picture   {picture}"]
        print_outcome(result, json, [*run_lines(tuning), *drawn], picture=picture)
