"""``ramify bench``."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.shared_options import JsonOption, announcing_compilation, print_json
from ramify.terminal import printable, unescaped

if TYPE_CHECKING:
    from ramify.bench.speed import MeasurementTurn

MAX_DIFFERENCES_SHOWN = 20  # different cases printed; the rest is only counted
LINE_SECONDS = 5.0  # between two progress lines if standard error is not a terminal


def command(
    games: Annotated[list[str] | None, typer.Argument(help="Games to measure. (default: all built-in games)")] = None,
    gdl: Annotated[
        bool, typer.Option("--gdl", help="Measure rulesheets: files or built-in names. (default: all built-in ones)")
    ] = False,
    simulations: Annotated[int, typer.Option(help="Simulations per search.")] = 20_000,
    rounds: Annotated[int, typer.Option(help="Number of rounds; each program's best one counts.")] = 5,
    speed: Annotated[bool, typer.Option(help="Measure speed.")] = True,
    signature: Annotated[bool, typer.Option(help="Also compute the behaviour signature.")] = True,
    record: Annotated[
        Path | None, typer.Option(help="Write the signature, one number per search, to this file.")
    ] = None,
    compare: Annotated[
        Path | None, typer.Option(help="Compare the signature with this file. Exits with 1 if it differs.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Compare simulations per second with OpenSpiel's C++ search and a C++ program of the same algorithm.

    With --gdl, compare rulesheets with OpenSpiel's own games of the same name.

    The behaviour signature has one number per family of searches. It is compared with the recorded one, and
    differences are listed. --json also prints the number of every search.

    Example: ramify bench connect4 breakthrough

    Example: ramify bench --no-speed --record before.json

    Example: ramify bench --gdl connect4 --simulations 100000
    """
    from dataclasses import asdict

    from ramify.bench.signature import numbers, recorded
    from ramify.bench.speed import compile_reference, measure
    from ramify.errors import RamifyError
    from ramify.numerals import reject_endless

    if (record or compare) and (gdl or not signature):
        raise RamifyError("--record and --compare need the signature: remove --gdl and --no-signature")
    if not speed and (games or gdl or not signature):
        raise RamifyError("--no-speed computes only the signature: remove games, --gdl and --no-signature")
    if record is not None:
        recorded.check_writable(record)
    before = recorded.read(compare or recorded.RECORDED)
    chosen = (sheets(games) if gdl else built_in(games)) if speed else []
    if simulations < 1 or rounds < 1:
        raise RamifyError("simulations and rounds must be at least 1")
    reject_endless("--simulations", simulations)
    reject_endless("--rounds", rounds)
    rows = []
    display = TurnDisplay()
    with announcing_compilation():
        program, reason = (None, "") if gdl or not speed else compile_reference()
        if speed and not json:
            if program is None and not gdl:
                print(f"without the C++ reference: {reason}")
            print(
                f"{'game':14} {'ours/s':>12} {'OpenSpiel/s':>12} {'ratio':>7} {'C++/s':>12} {'ratio':>6} {'threads':>9}"
            )
        for name in chosen:
            row = measure(name, simulations, rounds, program, threads=not gdl, progress=display)
            display.clear()
            rows.append(row)
            if not json:
                peer, reference = row.ratio(row.openspiel), row.ratio(row.reference)
                pair = None if row.two_threads is None else row.two_threads / row.ours
                print(
                    f"{title(name):14} {row.ours:12,.0f} {number(row.openspiel)} {ratio(peer, 7)}"
                    f" {number(row.reference)} {ratio(reference, 6)} {ratio(pair, 9)}",
                    flush=True,
                )
        found = numbers.signature() if signature and not gdl else None
    if found and record:
        recorded.write(found, record)
    changed = list(recorded.differences(before, found)) if found else []
    combined = numbers.combined(found) if found else None
    if json:
        data = [{**asdict(row), "openspiel_ratio": row.ratio(row.openspiel)} for row in rows]
        print_json(
            {"simulations": simulations, "rows": data, "signature": combined, "cases": found, "differences": changed}
        )
    elif combined is not None:
        print_signature(combined, changed)
    if compare and changed:
        raise typer.Exit(1)


def print_signature(combined: dict[str, int], changed: list[str]) -> None:
    """Print one number per family and the searches that differ from the recorded ones."""
    print("\nsignature, one number per family of searches")
    for name, value in combined.items():
        print(f"{name:14} {value:08d}")
    for line in changed[:MAX_DIFFERENCES_SHOWN]:
        print(line)
    if len(changed) > MAX_DIFFERENCES_SHOWN:
        print(f"... and {len(changed) - MAX_DIFFERENCES_SHOWN} more")
    print(f"{len(changed)} searches differ from the recorded ones" if changed else "all searches are as recorded")


def built_in(games: list[str] | None) -> list[str]:
    """Return ``games``, or all built-in games. Raise for an unknown name."""
    from ramify.contract.registry import names
    from ramify.errors import RamifyError, suggestion

    for name in games or ():
        if name not in names():
            raise RamifyError(f"unknown built-in game '{name}': {suggestion(name, names())}")
    return games or list(names())


def sheets(files: list[str] | None) -> list[str]:
    """Return the game names (``gdl:FILE``) of the files, or of all built-in rulesheets."""
    from ramify.bridges.gdl import BUILT_IN_RULESHEETS, rulesheet_path
    from ramify.errors import RamifyError

    for file in files or ():
        rulesheet_path(file)
    chosen = files or sorted(path.stem for path in BUILT_IN_RULESHEETS.glob("*.kif"))
    if not chosen:
        raise RamifyError("no built-in rulesheets found: name files")
    return [f"gdl:{file}" for file in chosen]


def title(name: str) -> str:
    """Name of a game in the table."""
    return Path(name.removeprefix("gdl:")).stem if name.startswith("gdl:") else name


class TurnDisplay:
    """Shows which program is being measured: one line on a terminal, occasional lines elsewhere."""

    def __init__(self) -> None:
        self.printed = -math.inf
        self.width = 0

    def __call__(self, turn: MeasurementTurn) -> None:
        text = f"{turn.game}, round {turn.number} of {turn.rounds}: {turn.program}"
        if turn.seconds >= LINE_SECONDS:
            text += f", about {turn.seconds:.0f} s"
        if sys.stderr.isatty():
            self.clear()
            self.width = len(text)
            print(printable(text), end="\r", file=unescaped(sys.stderr), flush=True)
        elif max(turn.seconds, monotonic() - self.printed) >= LINE_SECONDS:
            self.printed = monotonic()
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.width:
            print(" " * self.width, end="\r", file=unescaped(sys.stderr), flush=True)
            self.width = 0


def number(value: float | None) -> str:
    return f"{value:12,.0f}" if value else f"{'-':>12}"


def ratio(value: float | None, width: int) -> str:
    return f"{value:{width - 1}.2f}x" if value else f"{'-':>{width}}"
