"""``ramify tune``: good values for an agent's parameters."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ramify.cli.common import (
    CallsOption,
    ClockOption,
    ClusterOption,
    GameArgument,
    JsonOption,
    OpeningPliesOption,
    OpeningsOption,
    RunOption,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    WorkersOption,
    print_json,
    saying_when_compiling,
)


def command(
    game: GameArgument,
    agent: Annotated[
        str,
        typer.Argument(metavar="AGENT", help="With ranges: 'uct(c=0.1..2.0)', 'uct(c=log(0.01..10))' or 'name={a|b}'."),
    ],
    against: Annotated[str, typer.Option(help="The agent that all candidates play against.")],
    trials: Annotated[int | None, typer.Option(help="Candidates to try; 30. More may be added later.")] = None,
    games: Annotated[int | None, typer.Option(help="Games of each, rounded up to whole pairs; 40.")] = None,
    confirm: Annotated[int | None, typer.Option(help="Fresh games of the best in the end; four times --games.")] = None,
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    calls: CallsOption = None,
    clock: ClockOption = None,
    opening_plies: OpeningPliesOption = None,
    openings: OpeningsOption = None,
    seed: SeedOption = None,
    run: RunOption = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    out: Annotated[Path | None, typer.Option(help="A folder for a picture of the landscape, tune.png.")] = None,
    json: JsonOption = False,
) -> None:
    """Find good values for an agent's parameters with Optuna, by games against a reference agent.

    Example: ramify tune connect4 'uct(c=0.1..2.0)' --against 'uct(c=0.7)' --simulations 200 --run tune.db
    """
    from ramify.agents.side_limits import Limits
    from ramify.arena.tuning.landscape_picture import draw
    from ramify.arena.tuning.tune import Tuning, plan_tune
    from ramify.runs.sitting import make_pool_of
    from ramify.runs.watching import watching

    with saying_when_compiling():
        plan = plan_tune(
            game,
            agent,
            against,
            limits=Limits(simulations, seconds, calls, clock),
            trials=trials,
            games=games,
            confirm=confirm,
            opening_plies=opening_plies,
            openings=openings,
            seed=seed,
        )
        tuning = Tuning(plan, run)
    interrupted = False
    with tuning:
        for note in tuning.session.notes:
            print(f"note: {note}", file=sys.stderr)
        pool = make_pool_of(workers, cluster)
        try:
            with watching() as watch:
                tuning.play(pool, watch)
        except KeyboardInterrupt:
            print("ramify: interrupted; these are the trials so far", file=sys.stderr)
            interrupted = True
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
        sys.exit(130)
