"""``ramify ggp-match``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ramify.cli.run_session import exit_interrupted, print_outcome, run_lines, run_with_display
from ramify.cli.shared_options import JsonOption, RunOption, SeedOption


def command(
    rules: Annotated[
        str, typer.Argument(metavar="RULES", help="A GDL file, or the name of a built-in rulesheet such as chomp.")
    ],
    players: Annotated[
        list[str],
        typer.Argument(metavar="URL...", help="Addresses of the players, one per role, e.g. http://127.0.0.1:9147."),
    ],
    games: Annotated[int, typer.Option(help="Number of matches. The players rotate through the roles.")] = 2,
    start_clock: Annotated[float, typer.Option(help="Seconds before the first move.")] = 30.0,
    play_clock: Annotated[float, typer.Option(help="Seconds per move.")] = 10.0,
    seed: SeedOption = None,
    run: RunOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print each fault as it happens.")] = False,
    json: JsonOption = False,
) -> None:
    """Run matches between GGP players, as a game manager does.

    Example: ramify ggp-match connect4 http://127.0.0.1:9147 http://127.0.0.1:9148 --games 10 --play-clock 2

    Missing, late and illegal moves are counted and replaced by random legal moves.
    """
    from ramify.arena.managed.managed_plan import ManagedSession, plan_managed
    from ramify.arena.managed.result import ManagedResult
    from ramify.bridges.gdl import read_text
    from ramify.runs.pools.factory import pool_factory

    def log(message: str) -> None:
        if verbose:
            print(message, file=sys.stderr, flush=True)

    plan = plan_managed(
        rules,
        read_text(rules),
        players,
        games=games,
        start_clock=start_clock,
        play_clock=play_clock,
        seed=seed,
        log=log,
    )
    pool = pool_factory(0)  # matches side by side would share the processors of their players
    with ManagedSession(plan, run) as session:
        interrupted = run_with_display(session, pool, "matches")
        result = ManagedResult(session.plan, session.driver.aggregator.rows, session.store.name)
        print_outcome(result, json, run_lines(session))
    if interrupted:
        exit_interrupted("this is the score so far")
