"""``ramify tournament``."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ramify.cli.options import BudgetOptions, GamesOptions, with_groups
from ramify.cli.run_session import print_result, run_games
from ramify.cli.shared_options import JsonOption, OnTimeOption

if TYPE_CHECKING:
    from ramify.arena.matches.match_plan import MatchPlan


@with_groups
def command(
    *,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="TOML file with the tournament; options override it.")
    ] = None,
    game: Annotated[list[str] | None, typer.Option(help="A game; repeatable.")] = None,
    agent: Annotated[list[str] | None, typer.Option(help="An agent; repeatable.")] = None,
    gauntlet: Annotated[
        bool | None,
        typer.Option(
            "--gauntlet/--round-robin", help="First agent against all others, or all pairs. (default: all pairs)"
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option(help="Games per pairing, rounded up to whole pairs. (default: 100)")
    ] = None,
    budget: BudgetOptions,
    on_time: OnTimeOption = None,
    options: GamesOptions,
    json: JsonOption = False,
) -> None:
    """Play a tournament, from options or from a TOML file.

    Example: ramify tournament --game connect4 --agent 'uct(c=0.4)' --agent 'uct(c=1)' --simulations 500
    """
    from ramify.arena.matches.session import MatchSession
    from ramify.arena.matches.tournament import (
        GAUNTLET,
        ROUND_ROBIN,
        TournamentResult,
        check_participants,
        plan_tournament,
    )
    from ramify.arena.matches.tournament_file import read_tournament

    given: dict[str, Any] = {} if file is None else read_tournament(file)
    if budget == BudgetOptions():  # a budget replaces the file's
        budget = BudgetOptions(**{name: given.get(name) for name in asdict(budget)})
    elif budget.clock is None:
        given.pop("on_time", None)  # on_time belongs to the file's clock, which is replaced
    kept = {name: given.get(name) for name in ("opening_plies", "openings", "seed", "run")}
    missing: dict[str, Any] = {name: value for name, value in kept.items() if getattr(options, name) is None}
    options = replace(options, **missing)
    form = given.get("form", ROUND_ROBIN) if gauntlet is None else GAUNTLET if gauntlet else ROUND_ROBIN

    played_games, agents = game or given.get("games", []), agent or given.get("agents", [])
    check_participants(played_games, agents)

    def plan() -> MatchPlan:
        return plan_tournament(
            played_games,
            agents,
            limits=budget.limits(),
            on_time=given.get("on_time") if on_time is None else on_time,
            form=form,
            count=given.get("games_each") if games is None else games,
            **options.plan_arguments(),
        )

    with run_games(MatchSession, plan, options) as session:
        print_result(TournamentResult.from_session(session), session, json)
