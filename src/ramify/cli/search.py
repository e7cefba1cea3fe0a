"""``ramify search``: search one position."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ramify.cli.common import (
    AgentOption,
    CallsOption,
    GameArgument,
    JsonOption,
    MemoryOption,
    PositionOption,
    SecondsOption,
    SeedOption,
    SimulationsOption,
    ThreadsOption,
    memory_bytes,
    print_json,
    saying_when_compiling,
    value_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ramify.agents.report import Report
    from ramify.agents.searcher import Search

SHOWN = 12  # children printed


def command(
    game: GameArgument,
    position: PositionOption = None,
    agent: AgentOption = "uct",
    simulations: SimulationsOption = None,
    seconds: SecondsOption = None,
    calls: CallsOption = None,
    memory: MemoryOption = None,
    seed: SeedOption = None,
    threads: ThreadsOption = 1,
    json: JsonOption = False,
) -> None:
    """Search a position and print the move, the children and the expected line.

    Example: ramify search connect4 --simulations 10000 --agent 'uct(c=0.7)'
    """
    from ramify.agents.searcher import search
    from ramify.contract.load import load

    with saying_when_compiling():
        loaded = load(game)
        state = loaded.initial() if position is None else loaded.position(position)
        report = search(
            state,
            agent,
            simulations=simulations,
            seconds=seconds,
            calls=calls,
            memory=memory_bytes(memory),
            seed=seed,
            threads=threads,
            progress=progress_line(),
        )
    if json:
        print_json(report.rows())
        return
    print(state)
    print()
    print_report(report)


def progress_line() -> Callable[[Search], None] | None:
    """A line that counts simulations, where somebody watches."""
    if not sys.stderr.isatty():
        return None

    def show(search: Search) -> None:
        print(f"\r{search.simulations():>14,} simulations ", end="\r", file=sys.stderr, flush=True)

    return show


def print_report(report: Report) -> None:
    """The report as a small table."""
    width = max(5, *(len(str(child.move)) for child in report.children[:SHOWN]))
    mixed = any(child.estimate != child.value for child in report.children if child.visits)
    print(f"{'move':{width}}  {'visits':>10}  value{'   estimate' if mixed else ''}")
    for child in report.children[:SHOWN]:
        estimate = f"  {value_text(child.estimate)}" if mixed else ""
        print(f"{child.move!s:{width}}  {child.visits:>10,}  {value_text(child.value):6}{estimate}".rstrip())
    if len(report.children) > SHOWN:
        print(f"... and {len(report.children) - SHOWN} more")
    rate = report.simulations / report.seconds if report.seconds else 0.0
    print()
    print(f"best move   {report.move}  (value {value_text(report.value)} for the player to move)")
    print(f"line        {' '.join(str(move) for move in report.variation)}")
    print(f"searched    {report.simulations:,} simulations, {report.nodes:,} nodes, depth {report.depth}")
    print(f"time        {report.seconds:.3f} s, {rate:,.0f} simulations/s; stopped by {report.stopped}")
    print(f"agent       {report.agent}, seed {report.seed}, threads {report.threads}")
