"""``ramify perft``: count move sequences."""

from __future__ import annotations

from itertools import product
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from ramify.cli.shared_options import GameArgument, JsonOption, PositionOption, announcing_compilation, print_json

if TYPE_CHECKING:
    from ramify.contract.game import State


def command(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(help="Plies to count.")],
    position: PositionOption = None,
    divide: Annotated[bool, typer.Option(help="Count below each first move, too.")] = False,
    json: JsonOption = False,
) -> None:
    """Count the sequences of moves of each length; the first check of a game's rules.

    Where everybody moves at once, one move of each player counts as one.

    Example: ramify perft connect4 7
    """
    from ramify.agents.checking.perft import perft
    from ramify.contract.load import load
    from ramify.errors import RamifyError

    with announcing_compilation():
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
        for name in first_plies(state):
            after = state.play(name)
            below[name] = 1 if depth == 1 else 0 if after.over or not count else perft(after, depth - 1)[-1]
            if not json:
                print(f"{name:>8} {below[name]:>18,}")
    if json:
        print_json({"game": loaded.name, "position": state.text(), "perft": rows, "divide": below})


def first_plies(state: State) -> list[str]:
    """The names of everything that can be played; one move of each player, where everybody moves at once."""
    from ramify.contract.game import JOINT_SEPARATOR
    from ramify.core.search.tree import SIMULTANEOUS

    if state.to_move != SIMULTANEOUS:
        return [move.name for move in state.moves()]
    lists = [[move.name for move in state.moves(player)] for player in range(state.game.players)]
    return [JOINT_SEPARATOR.join(names) for names in product(*lists)]
