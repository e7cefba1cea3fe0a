"""``ramify match``: two agents against each other."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from ramify.errors import RamifyError

if TYPE_CHECKING:
    from ramify.runs.sitting import Session


def command(
    game: GameArgument,
    a: Annotated[str, typer.Argument(metavar="A", help="The first agent, for example 'uct(c=0.7)'.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The second agent.")],
    games: Annotated[
        int | None, typer.Option(help="Games, rounded up to whole pairs; 100, or 20000 with --sprt.")
    ] = None,
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
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="ELO0 ELO1", help="Stop when a sequential test accepts one of the two differences."),
    ] = None,
    alpha: Annotated[float, typer.Option(help="Probability of accepting ELO1 where ELO0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Probability of accepting ELO0 where ELO1 is true.")] = 0.05,
    model: Annotated[str, typer.Option(help="Scale of the test: normalized or logistic Elo.")] = "normalized",
    json: JsonOption = False,
) -> None:
    """Play two agents against each other, in pairs of games with swapped seats and a shared opening.

    Example: ramify match connect4 'uct(c=0.4)' 'uct(c=1.4)' --games 200 --simulations 1000 --run match.db
    """
    from ramify.agents.side_limits import Limits
    from ramify.arena.matches.match import MatchResult, plan_match
    from ramify.arena.statistics.sprt import Sprt
    from ramify.runs.sitting import Session

    if model not in ("normalized", "logistic"):
        raise RamifyError(f"the model is 'normalized' or 'logistic', not '{model}'")
    with saying_when_compiling():
        plan = plan_match(
            game,
            a,
            b,
            limits=Limits(simulations, seconds, calls, clock),
            games=games,
            opening_plies=opening_plies,
            openings=openings,
            seed=seed,
            test=None if sprt is None else Sprt(*sprt, alpha=alpha, beta=beta, model=model),  # type: ignore[arg-type]
        )
        session = Session(plan, run)
    with session:
        interrupted = play(session, workers, cluster)
        result = MatchResult.of(session)
        if json:
            print_json(result.data())
        else:
            print(result)
            print_end(session)
    if interrupted:
        sys.exit(130)


def play(session: Session, workers: int | None, cluster: str | None = None) -> bool:
    """Play with a table or lines for the watcher; whether Ctrl-C ended it."""
    from ramify.runs.sitting import make_pool_of
    from ramify.runs.watching import watching

    for note in session.notes:
        print(f"note: {note}", file=sys.stderr)
    if session.driver.done:
        print(f"{session.driver.done:,} of {session.driver.total:,} games are there already", file=sys.stderr)
    pool = make_pool_of(workers, cluster)
    try:
        with watching() as watch:
            session.play(pool, watch)
    except KeyboardInterrupt:
        print("ramify: interrupted; this is the score so far", file=sys.stderr)
        return True
    return False


def print_end(session: Session) -> None:
    """The lines below every table: seed, speed, file."""
    driver = session.driver
    if driver.played:
        print(f"speed     {driver.played:,} games in this sitting, {driver.rate():.2f} games/s")
    print(f"seed      {session.plan.seed}")
    if session.store.path != Path(":memory:"):
        print(f"run       {session.store.path}")
    if session.stopped == "interrupted":
        print(f"          {driver.total - driver.done:,} games are missing; the same command plays them")
