"""Where a pair of games starts: a position of a file, then random legal plies, the same for every game of the pair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ramify.contract.game import Code, Game, State
from ramify.contract.python_rules import PythonGenerator
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError, os_error_text
from ramify.runs.seeds import derive

MAX_TRIES = 200  # random openings that run into the end of the game are drawn again


def read_openings(path: str | Path) -> tuple[str, ...]:
    """The positions of a file, one a line; empty lines and lines that start with # do not count."""
    if not isinstance(path, str | Path):
        raise RamifyError(f"openings are given by the path of a file, not by {path!r}")
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise RamifyError(f"the openings in {path} cannot be read: {os_error_text(error)}") from None
    found = tuple(line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))
    if not found:
        raise RamifyError(f"{path} holds no positions: write one a line")
    return found


def check_opening(game: Game, start: str, plies: int) -> None:
    """Refuse a position that cannot be read or from which nothing can be played."""
    try:
        open_game(game, start, plies, 0)
    except RamifyError as error:
        raise RamifyError(f"opening '{start}': {error}" if start else str(error)) from None


def open_game(game: Game, start: str, plies: int, seed: int) -> tuple[Any, list[str], PythonGenerator]:
    """The data of the position, the random moves that led there, and the generator for the chance that follows.

    Every decision in the ``plies`` is uniform; outcomes of chance on the way come on top and are not counted.
    """
    first = game.position(start).data if start else game.start()
    for attempt in range(MAX_TRIES if plies else 1):
        random = PythonGenerator(derive(seed, "opening", attempt))
        opened = _random_plies(game, first, plies, random)
        if opened is not None:
            return *opened, random
    raise RamifyError(
        f"{MAX_TRIES} random openings of {plies} plies in {game.name} all ended the game; use fewer"
        if plies
        else "the game is over there"
    )


def first_decision(game: Game, start: str, plies: int) -> State:
    """A position in which somebody has to choose, as a game may start."""
    data, _, dice = open_game(game, start, plies, 0)
    while game.mover(data) == CHANCE:
        data = game.play(data, dice.outcome(game.chance_outcomes(data)))
    return State(game, data)


def _random_move(game: Game, data: Any, mover: int, random: PythonGenerator) -> Code:
    """One of the moves of a position, all equally likely; where everybody moves at once, one of each player."""
    if mover == SIMULTANEOUS:
        legal = (game.legal_of(data, player) for player in range(game.players))
        return tuple(codes[random.below(len(codes))] for codes in legal)
    codes = game.legal(data)
    return codes[random.below(len(codes))]


def _random_plies(game: Game, data: Any, plies: int, random: PythonGenerator) -> tuple[Any, list[str]] | None:
    moves: list[str] = []
    decided = 0
    while not game.over(data):
        if decided == plies:
            return data, moves
        mover = game.mover(data)
        code: Code
        if mover == CHANCE:
            code = random.outcome(game.chance_outcomes(data))
        else:
            code = _random_move(game, data, mover, random)
            decided += 1
        moves.append(State(game, data).move_of(code).name)
        data = game.after(data, code)
    return None
