"""``ramify check-game``: the contract test on anybody's game."""

from typing import Annotated

import typer

from ramify.cli.shared_options import GameArgument, JsonOption, announcing_compilation, print_json


def command(
    game: GameArgument,
    plays: Annotated[int, typer.Option(help="Random games to play in plain Python; ten times as many compiled.")] = 10,
    seed: Annotated[int, typer.Option(help="Seed of the random games.")] = 0,
    json: JsonOption = False,
) -> None:
    """Check a game against the contract and say in words what is wrong; exit code 1 if it has errors.

    Example: ramify check-game ./mygame.py
    """
    from dataclasses import asdict

    from ramify.contract.checking import check_game
    from ramify.errors import RamifyError

    if plays < 1:
        raise RamifyError(f"plays must be at least 1, not {plays}")
    with announcing_compilation():
        checked = check_game(game, plays=plays, seed=seed)
    if json:
        print_json({**asdict(checked), "ok": checked.ok})
    else:
        print(checked)
    if not checked.ok:
        raise typer.Exit(1)
