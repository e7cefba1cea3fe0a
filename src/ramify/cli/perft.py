"""``ramify perft``."""

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
    divide: Annotated[bool, typer.Option(help="Also count below each first move.")] = False,
    json: JsonOption = False,
) -> None:
    """Count the move sequences of each length, a first check of a game's rules.

    With simultaneous moves, a joint move counts as one.

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
        raise RamifyError(f"invalid depth {depth}: use at least 1")
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
    """Names of all legal moves; joint moves if the position is simultaneous."""
    from ramify.contract.game import JOINT_SEPARATOR
    from ramify.core.search.tree import SIMULTANEOUS

    if state.to_move != SIMULTANEOUS:
        return [move.name for move in state.moves()]
    lists = [[move.name for move in state.moves(player)] for player in range(state.game.players)]
    return [JOINT_SEPARATOR.join(names) for names in product(*lists)]
