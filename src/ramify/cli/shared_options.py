"""Shared by several commands: options, the message about compiling, JSON output."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ramify.errors import RamifyError
from ramify.old_names import old_attributes

MAX_BUDGET = 1 << 61  # no search gets this far


def reject_endless_budget(context: typer.CallbackParam, value: float | None) -> float | None:
    """Raise if a budget never runs out (infinite or not a number)."""
    if value is not None and not value < MAX_BUDGET:
        raise RamifyError(f"--{context.name} must be a finite number below 2^61, not {value}")
    return value


def parse_clock_option(context: typer.CallbackParam, value: str | None) -> str | None:
    """Reject malformed and endless clocks."""
    from ramify.agents.budgets.time_control import parse_clock

    if value is not None:
        for part in parse_clock(value):
            reject_endless_budget(context, part)
    return value


GameArgument = Annotated[
    str, typer.Argument(help="A game: connect4, 'hex(size=7)', ./mygame.py or 'openspiel:chess'.", metavar="GAME")
]
PositionOption = Annotated[str | None, typer.Option(help="Position as the game prints it, or 'moves ...'.")]
AgentOption = Annotated[str, typer.Option(help="Agent, e.g. 'uct(c=0.7)' or 'mcts(recommend=max)'.")]
SimulationsOption = Annotated[int | None, typer.Option(help="Budget in simulations.", callback=reject_endless_budget)]
SecondsOption = Annotated[float | None, typer.Option(help="Budget in seconds.", callback=reject_endless_budget)]
CallsOption = Annotated[
    int | None, typer.Option(help="Budget in forward-model calls (moves played).", callback=reject_endless_budget)
]
MemoryOption = Annotated[
    float | None, typer.Option(help="Budget in megabytes of tree.", callback=reject_endless_budget)
]
SeedOption = Annotated[int | None, typer.Option(help="Random seed. (default: random)")]
ThreadsOption = Annotated[int, typer.Option(help="Root-parallel threads: one tree each, summed at the root.")]
ClockOption = Annotated[
    str | None,
    typer.Option(
        metavar="SECONDS[+INCREMENT]",
        help="Seconds per player for the whole game, plus an optional increment per move: 60 or 60+0.5.",
        callback=parse_clock_option,
    ),
]
OnTimeOption = Annotated[
    str | None,
    typer.Option(
        metavar="lose|random",
        help="What happens when a player's clock runs out: it loses, or plays random moves. (default: lose)",
    ),
]
OpeningPliesOption = Annotated[
    int | None, typer.Option(help="Random plies at the start of each pair of games. (default: 2; with --openings 0)")
]
OpeningsOption = Annotated[
    Path | None, typer.Option(help="File of opening positions, one per line; each pair of games starts from one.")
]
RunOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Store games in this file; the same command resumes it.")
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        help="Number of worker processes; 0 plays in this process. (default: one per core, none for a short match)"
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on a Dask cluster; address of its scheduler, e.g. tcp://10.0.0.1:8786."),
]
AcceptEditsOption = Annotated[
    bool,
    typer.Option("--accept-edits", help="Resume although your files were edited, if only comments or layout changed."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@contextmanager
def announcing_compilation() -> Iterator[None]:
    """Print a message on standard error when the first compilation in this block begins."""
    from ramify.core.kernels.compiling import on_compilation

    with on_compilation(compilation_announcer()):
        yield


def compilation_announcer() -> Callable[[], None]:
    """Return a function that prints a message on standard error when it is first called."""
    announced = False

    def announce() -> None:
        nonlocal announced
        if not announced:
            announced = True
            print("compiling; this is done once and kept on disk ...", file=sys.stderr, flush=True)

    return announce


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, allow_nan=False))


def value_text(value: float) -> str:
    """Format a value with four decimals; a dash for NaN."""
    return "-" if math.isnan(value) else f"{value:z.4f}"


def memory_bytes(megabytes: float | None) -> int | None:
    if megabytes is not None and megabytes < 0.001:
        raise RamifyError(f"--memory must be at least 0.001 megabytes, not {megabytes:g}")
    return None if megabytes is None else int(megabytes * 1_000_000)


__getattr__ = old_attributes(__name__)
