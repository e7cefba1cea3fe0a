"""``ramify tournament``: many agents, many games."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ramify.cli.common import (
    CallsOption,
    ClockOption,
    ClusterOption,
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
from ramify.cli.match import play, print_end


def command(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="A TOML file; options here win.")] = None,
    game: Annotated[list[str] | None, typer.Option(help="A game; may be given several times.")] = None,
    agent: Annotated[list[str] | None, typer.Option(help="An agent; may be given several times.")] = None,
    gauntlet: Annotated[
        bool | None,
        typer.Option("--gauntlet/--round-robin", help="The first agent against all others; or all pairs (default)."),
    ] = None,
    games: Annotated[int | None, typer.Option(help="Games of each pairing, rounded up to whole pairs; 100.")] = None,
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
    json: JsonOption = False,
) -> None:
    """Play a tournament, from options or from a TOML file.

    Example: ramify tournament --game connect4 --agent 'uct(c=0.4)' --agent 'uct(c=1)' --simulations 500
    """
    from ramify.agents.side_limits import Limits
    from ramify.arena.matches.tournament import GAUNTLET, ROUND_ROBIN, TournamentResult, plan_tournament
    from ramify.arena.matches.tournament_file import read_tournament
    from ramify.runs.sitting import Session

    given: dict[str, Any] = {} if file is None else read_tournament(file)
    budget = {"simulations": simulations, "seconds": seconds, "calls": calls, "clock": clock}
    if any(value is not None for value in budget.values()):  # a budget replaces the file's, and is not added to it
        given = {key: value for key, value in given.items() if key not in budget}
    options: dict[str, Any] = {
        "games": game or None,
        "agents": agent or None,
        "form": None if gauntlet is None else GAUNTLET if gauntlet else ROUND_ROBIN,
        "games_each": games,
        **budget,
        "opening_plies": opening_plies,
        "openings": openings,
        "seed": seed,
        "run": run,
    }
    given |= {key: value for key, value in options.items() if value is not None}
    with saying_when_compiling():
        plan = plan_tournament(
            given.get("games", []),
            given.get("agents", []),
            limits=Limits(*(given.get(name) for name in budget)),
            form=given.get("form", ROUND_ROBIN),
            count=given.get("games_each"),
            opening_plies=given.get("opening_plies"),
            openings=given.get("openings"),
            seed=given.get("seed"),
        )
        session = Session(plan, given.get("run"))
    with session:
        interrupted = play(session, workers, cluster)
        result = TournamentResult.of(session)
        if json:
            print_json(result.data())
        else:
            print(result)
            print()
            print_end(session)
    if interrupted:
        sys.exit(130)
