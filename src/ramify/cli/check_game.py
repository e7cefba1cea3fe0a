"""``ramify check-game``."""

from typing import Annotated

import typer

from ramify.cli.shared_options import GameArgument, JsonOption, announcing_compilation, print_json


def command(
    game: GameArgument,
    games: Annotated[int, typer.Option(help="Random games to play in plain Python; compiled, ten times as many.")] = 10,
    seed: Annotated[int, typer.Option(help="Seed of the random games.")] = 0,
    json: JsonOption = False,
) -> None:
    """Check a game against the contract and report what is wrong. Exits with 1 if there are errors.

    Example: ramify check-game ./mygame.py
    """
    from dataclasses import asdict

    from ramify.contract.checking import check_game
    from ramify.errors import RamifyError
    from ramify.numerals import reject_endless

    if games < 1:
        raise RamifyError(f"--games must be at least 1, not {games}")
    reject_endless("--games", games)
    with announcing_compilation():
        checked = check_game(game, plays=games, seed=seed)
    if json:
        print_json({**asdict(checked), "ok": checked.ok})
    else:
        print(checked)
    if not checked.ok:
        raise typer.Exit(1)
