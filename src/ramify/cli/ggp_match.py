"""``ramify ggp-match``: matches between players over HTTP."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ramify.cli.run_session import exit_interrupted, print_outcome, run_lines, run_with_display
from ramify.cli.shared_options import JsonOption, RunOption, SeedOption


def command(
    rules: Annotated[str, typer.Argument(metavar="RULES", help="A file in GDL, or a rulesheet of ours: chomp.")],
    players: Annotated[
        list[str], typer.Argument(metavar="URL...", help="The players, one for each role: http://127.0.0.1:9147.")
    ],
    games: Annotated[int, typer.Option(help="Matches; the roles move on by one with each.")] = 2,
    start_clock: Annotated[float, typer.Option(help="Seconds to get ready.")] = 30.0,
    play_clock: Annotated[float, typer.Option(help="Seconds for each move.")] = 10.0,
    seed: SeedOption = None,
    run: RunOption = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Tell every fault as it happens.")] = False,
    json: JsonOption = False,
) -> None:
    """Have players that speak the protocol of general game playing meet, as a game manager does.

    Example: ramify ggp-match connect4 http://127.0.0.1:9147 http://127.0.0.1:9148 --games 10 --play-clock 2

    An answer that is late, illegal or none at all is counted, and a legal move is drawn in its place.
    """
    from ramify.arena.managed.managed_plan import ManagedSitting, plan_of
    from ramify.arena.managed.result import ManagedResult
    from ramify.bridges.gdl import read_text
    from ramify.runs.pools.factory import pool_factory

    def say(sentence: str) -> None:
        if verbose:
            print(sentence, file=sys.stderr, flush=True)

    plan = plan_of(
        rules,
        read_text(rules),
        players,
        games=games,
        start_clock=start_clock,
        play_clock=play_clock,
        seed=seed,
        say=say,
    )
    pool = pool_factory(0)  # players play one match at a time
    with ManagedSitting(plan, run) as sitting:
        interrupted = run_with_display(sitting, pool, "matches")
        result = ManagedResult(sitting.plan, sitting.driver.aggregator.rows, sitting.store.name)
        print_outcome(result, json, run_lines(sitting))
    if interrupted:
        exit_interrupted("this is the score so far")
