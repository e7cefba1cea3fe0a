"""``ramify tune``: good values for an agent's parameters."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ramify.cli.common import GameArgument, JsonOption, print_json, saying_when_compiling
from ramify.cli.ctrl_c import INTERRUPTED
from ramify.cli.options import BudgetOptions, GamesOptions, with_groups
from ramify.cli.sitting import watched


@with_groups
def command(
    *,
    game: GameArgument,
    agent: Annotated[
        str,
        typer.Argument(metavar="AGENT", help="With ranges: 'uct(c=0.1..2.0)', 'uct(c=log(0.01..10))' or 'name={a|b}'."),
    ],
    against: Annotated[str, typer.Option(help="The agent that all candidates play against.")],
    trials: Annotated[int | None, typer.Option(help="Candidates to try; 30. More may be added later.")] = None,
    games: Annotated[int | None, typer.Option(help="Games of each, rounded up to whole pairs; 40.")] = None,
    confirm: Annotated[int | None, typer.Option(help="Fresh games of the best in the end; four times --games.")] = None,
    budget: BudgetOptions,
    options: GamesOptions,
    out: Annotated[Path | None, typer.Option(help="A folder for a picture of the landscape, tune.png.")] = None,
    json: JsonOption = False,
) -> None:
    """Find good values for an agent's parameters with Optuna, by games against a reference agent.

    Example: ramify tune connect4 'uct(c=0.1..2.0)' --against 'uct(c=0.7)' --simulations 200 --run tune.db
    """
    from ramify.arena.reports.live import status, table
    from ramify.arena.reports.run_report import check_folder
    from ramify.arena.tuning.landscape_picture import draw
    from ramify.arena.tuning.tune import Tuning, plan_tune

    if out is not None:
        check_folder(out)
    with saying_when_compiling():
        plan = plan_tune(
            game,
            agent,
            against,
            limits=budget.limits(),
            trials=trials,
            games=games,
            confirm=confirm,
            **options.of_plan(),
        )
        tuning = Tuning(plan, options.run, accept_change=options.accept_change)
    with tuning:
        pool = options.pool()
        interrupted = watched(tuning, lambda watch: tuning.run(pool, watch), status, table, "games")
        if interrupted:
            more = "" if options.run is None else "; the same command goes on"
            print(f"ramify: interrupted; these are the trials so far{more}", file=sys.stderr)
        result = tuning.result()
    picture = draw(result, out) if out is not None and result.trials else None
    if json:
        print_json(result.data() | {"picture": None if picture is None else str(picture)})
    else:
        print(result)
        print(f"seed      {result.seed}")
        if result.run is not None:
            print(f"run       {result.run}")
        if picture is not None:
            print(f"picture   {picture}")
    if interrupted:
        sys.exit(INTERRUPTED)
