"""``ramify replay``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.shared_options import JsonOption, announcing_compilation, print_json

if TYPE_CHECKING:
    from ramify.arena.matches.rows import GameRow


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="File of a match or tournament.")],
    game: Annotated[int, typer.Argument(metavar="GAME", help="Number of the game, from 1.")],
    boards: Annotated[bool, typer.Option("--boards/--no-boards", help="Draw the board after each move.")] = True,
    trust: Annotated[
        bool, typer.Option("--trust", help="Import the Python files that the run names, without a question.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Print a stored game move by move, then play it again from its seed and compare. Exits with 1 if it differs.

    Python files that the run names are imported only if they are unchanged, and after a question.

    Example: ramify replay match.db 17
    """
    from ramify.arena.matches.playing.replay import mismatch
    from ramify.arena.matches.rows import GAME_TABLE, stored_row
    from ramify.runs.store import Reader
    from ramify.runs.trusted_files import check_trust

    with Reader(run, GAME_TABLE) as reader:
        row = stored_row(reader, game)
        notes = reader.notes()
        description = reader.description()
    ask = (lambda question: typer.confirm(question, err=True)) if _has_terminal() else None
    notes += check_trust(run, description, (row.game, *row.agents), trust=trust, ask=ask)
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    with announcing_compilation():
        if not json:
            show(row, boards)
        difference = mismatch(row)
    if json:
        print_json({**as_data(row), "mismatch": difference})
    elif difference is None:
        print("replayed from its seed: the same game")
    if difference is not None:
        print(f"ramify: replayed from its seed, the game differs: {difference}", file=sys.stderr)
        sys.exit(1)


def _has_terminal() -> bool:
    """Whether somebody can answer a question."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


def show(row: GameRow, boards: bool) -> None:
    from ramify.arena.matches.playing.replay import plies
    from ramify.core.search.tree import SIMULTANEOUS

    print(f"game {row.number} of {row.game}, pair {row.pair + 1}, seed {row.seed}")
    for seat, (agent, limits) in enumerate(zip(row.agents, row.limits, strict=True)):
        print(f"player {seat + 1}  {agent}, {limits}")
    if row.start:
        print(f"starts at {row.start}")
    for ply in plies(row):
        mover = (
            f"player {ply.mover + 1}" if ply.mover >= 0 else "all players" if ply.mover == SIMULTANEOUS else "chance"
        )
        spent = ply.simulations if isinstance(ply.simulations, list) else [ply.simulations]
        verb = "play" if ply.mover == SIMULTANEOUS else "plays"
        cost = f", {' and '.join(f'{count:,}' for count in spent)} simulations" if any(spent) else ""
        print(f"{ply.number:>4}  {mover} {verb} {ply.move}  ({ply.who}{cost})")
        if boards:
            print(f"\n{ply.after}\n")
    scores = ", ".join(f"player {seat + 1} {score:g}" for seat, score in enumerate(row.scores))
    for seat, fault in enumerate(row.faults):
        if fault:
            print(f"player {seat + 1} {fault}")
    ends = {"over": "over", "time": "lost on time", "forfeit": "forfeited", "resigned": "resigned"}
    print(f"{ends.get(row.ended, 'drawn by the length limit')} after {row.plies} plies: {scores}")


def as_data(row: GameRow) -> dict[str, object]:
    from ramify.arena.matches.rows import COLUMNS

    return {
        name: [limits.to_dict() for limits in row.limits] if name == "limits" else getattr(row, name)
        for name in COLUMNS
    }
