"""``ramify kilothon``."""

from __future__ import annotations

from typing import Annotated

import typer

from ramify.cli.ludii import load_catalogue
from ramify.cli.run_session import exit_interrupted, print_outcome, run_lines, run_with_display
from ramify.cli.shared_options import (
    AcceptEditsOption,
    ClusterOption,
    JsonOption,
    RunOption,
    SeedOption,
    WorkersOption,
    announcing_compilation,
    print_json,
)


def command(
    agents: Annotated[
        list[str] | None,
        typer.Option("--agent", metavar="AGENT", help="A challenger; repeatable. (default: ramify_kilothon)"),
    ] = None,
    sources: Annotated[
        str, typer.Option(metavar="NAME,...", help="Sources of the games: native, gdl, openspiel, ludii.")
    ] = "native,gdl,openspiel",
    games: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="NAME", help="Play only this game, or a pattern such as 'gdl:*'; repeatable."),
    ] = None,
    sample: Annotated[
        int | None, typer.Option(help="Play a random sample of this many games (drawn with --seed).")
    ] = None,
    minute: Annotated[
        float,
        typer.Option("--game-seconds", metavar="S", help="Seconds per player and game; other times scale with it."),
    ] = 60,
    opponent: Annotated[str, typer.Option(help="The stock opponent.")] = "kilothon_uct",
    both_seats: Annotated[bool, typer.Option("--both-seats", help="Play every game once in either seat.")] = False,
    published_sign: Annotated[
        bool,
        typer.Option("--as-published", help="Score swapped players with the wrong sign, as the contest's program did."),
    ] = False,
    list_games: Annotated[
        bool, typer.Option("--list", help="Print the games and their categories without playing.")
    ] = False,
    seed: SeedOption = None,
    run: RunOption = None,
    accept_change: AcceptEditsOption = False,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    json: JsonOption = False,
) -> None:
    """Play every suitable game against a stock UCT, with one minute per player and game, as in the Kilothon contest.

    Example: ramify kilothon --agent 'uct(timing=bonus)' --game-seconds 6 --run kilothon.db

    Example: ramify kilothon --agent uct --game connect4 --game 'gdl:*' --game-seconds 1 --both-seats

    Example: ramify kilothon --sources ludii --sample 20 --seed 1 --game-seconds 6 --ludii-jar ~/Ludii.jar
    """
    from ramify.arena.kilothon.kilothon_plan import KilothonSession, games_chosen, plan_kilothon
    from ramify.arena.kilothon.result import KilothonResult
    from ramify.runs.pools.factory import pool_factory

    chosen = [name.strip() for name in sources.split(",")]
    if "ludii" in chosen:
        load_catalogue()  # cached: the source asks again
    if list_games:
        print_games(games_chosen(chosen, games or (), sample, seed), json)
        return
    with announcing_compilation():
        plan = plan_kilothon(
            agents or ["ramify_kilothon"],
            sources=chosen,
            games=games or (),
            sample=sample,
            minute=minute,
            opponent=opponent,
            both_seats=both_seats,
            seed=seed,
        )
        session = KilothonSession(plan, run, accept_change=accept_change)
    with session:
        pool = pool_factory(workers, cluster)
        interrupted = run_with_display(session, pool, "games")
        rows = session.driver.aggregator.rows
        result = KilothonResult(session.plan, rows, session.store.name, published_sign)
        print_outcome(result, json, run_lines(session))
    if interrupted:
        exit_interrupted("this is the payoff so far")


def print_games(found: dict[str, str], json: bool) -> None:
    if json:
        print_json(found)
        return
    for game, category in found.items():
        print(f"{category:8} {game}")
