"""``ramify kilothon``: every game within reach, one minute each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ramify.cli.ludii import load_catalogue
from ramify.cli.run_session import exit_interrupted, print_outcome, run_lines, run_with_display
from ramify.cli.shared_options import (
    AcceptChangeOption,
    ClusterOption,
    JsonOption,
    SeedOption,
    WorkersOption,
    announcing_compilation,
    print_json,
)


def command(
    agents: Annotated[
        list[str] | None,
        typer.Option(metavar="AGENT", help="A challenger; may be given several times. ramify_kilothon if none is."),
    ] = None,
    sources: Annotated[
        str, typer.Option(metavar="NAME,...", help="Where the games are from: native, gdl, openspiel, ludii.")
    ] = "native,gdl,openspiel",
    games: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only these games, or patterns such as 'gdl:*'.")
    ] = None,
    sample: Annotated[int | None, typer.Option(help="Only so many of the games, drawn by --seed.")] = None,
    minute: Annotated[
        float, typer.Option(help="Seconds of each side for a game; all other times shrink with it.")
    ] = 60,
    opponent: Annotated[str, typer.Option(help="The stock opponent.")] = "kilothon_uct",
    both_seats: Annotated[bool, typer.Option("--both-seats", help="Every game once in either seat.")] = False,
    published_sign: Annotated[
        bool, typer.Option("--published-sign", help="Reckon swapped sides with the wrong sign, as the contest did.")
    ] = False,
    list_games: Annotated[bool, typer.Option("--list", help="Print the games and their categories, and play none.")] = (
        False
    ),
    seed: SeedOption = None,
    run: Annotated[
        Path | None,
        typer.Option("--out", "--run", help="A file that keeps the games; the same command goes on where it stopped."),
    ] = None,
    accept_change: AcceptChangeOption = False,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    json: JsonOption = False,
) -> None:
    """Play every suitable game against a stock UCT, with one minute for the whole game, as in the contest Kilothon.

    Example: ramify kilothon --agents 'uct(timing=bonus)' --minute 6 --out kilothon.db

    Example: ramify kilothon --agents uct --games connect4 --games 'gdl:*' --minute 1 --both-seats

    Example: ramify kilothon --sources ludii --sample 20 --seed 1 --minute 6 --ludii-jar ~/Ludii.jar
    """
    from ramify.arena.kilothon.kilothon_plan import KilothonSitting, games_chosen, plan_of
    from ramify.arena.kilothon.result import KilothonResult
    from ramify.runs.pools.factory import pool_factory

    chosen = [name.strip() for name in sources.split(",")]
    if "ludii" in chosen:
        load_catalogue()  # which is kept: the source asks again
    if list_games:
        print_games(games_chosen(chosen, games or (), sample, seed), json)
        return
    with announcing_compilation():
        plan = plan_of(
            agents or ["ramify_kilothon"],
            sources=chosen,
            games=games or (),
            sample=sample,
            minute=minute,
            opponent=opponent,
            both_seats=both_seats,
            seed=seed,
        )
        sitting = KilothonSitting(plan, run, accept_change=accept_change)
    with sitting:
        pool = pool_factory(workers, cluster)
        interrupted = run_with_display(sitting, pool, "games")
        rows = sitting.driver.aggregator.rows
        result = KilothonResult(sitting.plan, rows, sitting.store.name, published_sign)
        print_outcome(result, json, run_lines(sitting))
    if interrupted:
        exit_interrupted("this is the payoff so far")


def print_games(found: dict[str, str], json: bool) -> None:
    """Games with their categories."""
    if json:
        print_json(found)
        return
    for game, category in found.items():
        print(f"{category:8} {game}")
