"""``ramify perft``: count move sequences."""

from time import perf_counter
from typing import Annotated

import typer

from ramify.cli.common import GameArgument, JsonOption, PositionOption, print_json, saying_when_compiling


def command(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(help="Plies to count.")],
    position: PositionOption = None,
    divide: Annotated[bool, typer.Option(help="Count below each first move, too.")] = False,
    json: JsonOption = False,
) -> None:
    """Count the sequences of moves of each length; the first check of a game's rules.

    Example: ramify perft connect4 7
    """
    from ramify.agents.perft import perft
    from ramify.contract.load import load
    from ramify.errors import RamifyError

    with saying_when_compiling():
        loaded = load(game)
        state = loaded.initial() if position is None else loaded.position(position)
        perft(state, 1)
    if depth < 1:
        raise RamifyError(f"the depth must be at least 1, not {depth}")
    rows = []
    for plies in range(1, depth + 1):
        began = perf_counter()
        count = perft(state, plies)[-1]
        rows.append({"plies": plies, "sequences": count, "seconds": perf_counter() - began})
        if not json:
            print(f"{plies:3} {count:>18,}  {rows[-1]['seconds']:.3f} s", flush=True)
        if not count:  # every game is over by then
            break
    below = {}
    if divide:
        for move in state.moves():
            after = state.play(move)
            below[str(move)] = 1 if depth == 1 else 0 if after.over or not count else perft(after, depth - 1)[-1]
            if not json:
                print(f"{move!s:>8} {below[str(move)]:>18,}")
    if json:
        print_json({"game": loaded.name, "position": state.text(), "perft": rows, "divide": below})
