"""What several commands share: options, the word about compiling, JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ramify.errors import RamifyError
from ramify.old_names import old_attributes

MAX_BUDGET = 1 << 61  # of anything: no search gets that far


def reject_endless_budget(context: typer.CallbackParam, value: float | None) -> float | None:
    """Refuse a budget that never runs out."""
    if value is not None and not value < MAX_BUDGET:
        raise RamifyError(f"--{context.name} must be a number of ordinary size, not {value}")
    return value


def parse_clock_option(context: typer.CallbackParam, value: str | None) -> str | None:
    """Refuse what is no clock, and one that never runs out."""
    from ramify.agents.budgets.time_control import parse_clock

    if value is not None:
        for part in parse_clock(value):
            reject_endless_budget(context, part)
    return value


GameArgument = Annotated[
    str, typer.Argument(help="A game: connect4, 'hex(size=7)', ./mygame.py or 'openspiel:chess'.", metavar="GAME")
]
PositionOption = Annotated[str | None, typer.Option(help="A position as the game writes it, or 'moves ...'.")]
AgentOption = Annotated[str, typer.Option(help="The search, for example 'uct(c=0.7)' or 'mcts(recommend=max)'.")]
SimulationsOption = Annotated[int | None, typer.Option(help="Budget in simulations.", callback=reject_endless_budget)]
SecondsOption = Annotated[float | None, typer.Option(help="Budget in seconds.", callback=reject_endless_budget)]
CallsOption = Annotated[
    int | None, typer.Option(help="Budget in forward-model calls (moves played).", callback=reject_endless_budget)
]
MemoryOption = Annotated[
    float | None, typer.Option(help="Budget in megabytes of tree.", callback=reject_endless_budget)
]
SeedOption = Annotated[int | None, typer.Option(help="Seed of all chance; a random one if not given.")]
ThreadsOption = Annotated[int, typer.Option(help="Trees searched side by side and summed at the root.")]
ClockOption = Annotated[
    str | None,
    typer.Option(
        metavar="SECONDS[+INCREMENT]",
        help="Seconds of each side for the whole game, and more with each move: 60 or 60+0.5.",
        callback=parse_clock_option,
    ),
]
OnTimeOption = Annotated[
    str | None,
    typer.Option(metavar="lose|random", help="A side whose clock runs out loses, or moves at random; lose."),
]
OpeningPliesOption = Annotated[
    int | None, typer.Option(help="Random legal plies before the agents play; 2, or 0 with --openings.")
]
OpeningsOption = Annotated[
    Path | None, typer.Option(help="A file of positions, one a line, from which pairs of games start.")
]
RunOption = Annotated[
    Path | None, typer.Option(help="A file that keeps the games; the same command goes on where it stopped.")
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        help="Processes that play; as many as cores, or none for a short match, if not given. 0 plays in this one."
    ),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on the Dask cluster whose scheduler is there, as tcp://10.0.0.1:8786."),
]
AcceptChangeOption = Annotated[
    bool,
    typer.Option("--accept-change", help="Go on although files of yours were edited, if only in comments or layout."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@contextmanager
def announcing_compilation() -> Iterator[None]:
    """Tell once, on the error stream, that something is being compiled."""
    from ramify.core.kernels.compiling import on_compilation

    said = False

    def tell() -> None:
        nonlocal said
        if not said:
            said = True
            print("compiling; this is done once and kept on disk ...", file=sys.stderr, flush=True)

    with on_compilation(tell):
        yield


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    print(json.dumps(value, indent=2, allow_nan=False))


def value_text(value: float) -> str:
    """A value, or a dash where nothing is known."""
    return "-" if math.isnan(value) else f"{value:z.4f}"


def memory_bytes(megabytes: float | None) -> int | None:
    """Megabytes as a budget in bytes."""
    if megabytes is not None and megabytes < 0.001:
        raise RamifyError(f"--memory must be at least 0.001 megabytes, not {megabytes:g}")
    return None if megabytes is None else int(megabytes * 1_000_000)


__getattr__ = old_attributes(__name__)
