"""``ramify replay``: look at a stored game."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.shared_options import JsonOption, announcing_compilation, print_json

if TYPE_CHECKING:
    from ramify.arena.matches.rows import GameRow


def command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The file of a match or tournament.")],
    game: Annotated[int, typer.Argument(metavar="GAME", help="The number of a game, from 1.")],
    boards: Annotated[bool, typer.Option("--boards/--no-boards", help="Draw the board after each move.")] = True,
    json: JsonOption = False,
) -> None:
    """Show a game move by move, play it again from its seed, and say whether it comes out the same.

    Example: ramify replay match.db 17
    """
    from ramify.arena.matches.playing.replay import mismatch
    from ramify.arena.matches.rows import GAME_TABLE, stored_row
    from ramify.runs.store import Reader

    with Reader(run, GAME_TABLE) as reader:
        row = stored_row(reader, game)
    with announcing_compilation():
        if not json:
            show(row, boards)
        difference = mismatch(row)
    if json:
        print_json({**as_data(row), "mismatch": difference})
    elif difference is None:
        print("the seed gives the same game again")
    if difference is not None:
        print(f"ramify: the game does not come out the same: {difference}", file=sys.stderr)
        sys.exit(1)


def show(row: GameRow, boards: bool) -> None:
    """The moves with their movers."""
    from ramify.arena.matches.playing.replay import plies
    from ramify.core.search.tree import SIMULTANEOUS

    print(f"game {row.number} of {row.game}, pair {row.pair + 1}, seed {row.seed}")
    for seat, (agent, limits) in enumerate(zip(row.agents, row.limits, strict=True)):
        print(f"player {seat + 1}  {agent}, {limits}")
    if row.start:
        print(f"starts at {row.start}")
    for ply in plies(row):
        mover = f"player {ply.mover + 1}" if ply.mover >= 0 else "everybody" if ply.mover == SIMULTANEOUS else "chance"
        spent = ply.simulations if isinstance(ply.simulations, list) else [ply.simulations]
        told = f", {' and '.join(f'{count:,}' for count in spent)} simulations" if any(spent) else ""
        print(f"{ply.number:>4}  {mover} plays {ply.move}  ({ply.who}{told})")
        if boards:
            print(f"\n{ply.after}\n")
    scores = ", ".join(f"player {seat + 1} {score:g}" for seat, score in enumerate(row.scores))
    for seat, fault in enumerate(row.faults):
        if fault:
            print(f"player {seat + 1} {fault}")
    ends = {"over": "over", "time": "lost on time", "forfeit": "forfeited", "resigned": "resigned"}
    print(f"{ends.get(row.ended, 'cut as a draw')} after {row.plies} plies: {scores}")


def as_data(row: GameRow) -> dict[str, object]:
    """The row for JSON."""
    from ramify.arena.matches.rows import COLUMNS

    return {
        name: [limits.to_dict() for limits in row.limits] if name == "limits" else getattr(row, name)
        for name in COLUMNS
    }
