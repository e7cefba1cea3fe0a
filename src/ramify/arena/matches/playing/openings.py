"""Openings: a position from a file, then random plies, the same for all games of a pair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ramify.contract.game import Code, Game, State
from ramify.contract.python_rules import PythonGenerator
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError, os_error_text
from ramify.paths import read_text
from ramify.runs.seeds import derive

MAX_TRIES = 200  # random openings that end the game are drawn again


def read_openings(path: str | Path) -> tuple[str, ...]:
    """Read positions from a file, one per line. Empty lines and lines starting with # are skipped."""
    if not isinstance(path, str | Path):
        raise RamifyError(f"openings must be the path of a file, not {path!r}")
    try:
        lines = read_text(path).splitlines()
    except (OSError, ValueError) as error:
        raise RamifyError(f"cannot read the openings in {path}: {os_error_text(error)}") from None
    found = tuple(line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))
    if not found:
        raise RamifyError(f"{path} has no positions: write one per line")
    return found


def check_opening(game: Game, start: str, plies: int) -> None:
    """Raise if a position is invalid or its games are over after ``plies``."""
    try:
        open_game(game, start, plies, 0)
    except RamifyError as error:
        raise RamifyError(f"opening '{start}': {error}" if start else str(error)) from None


def open_game(game: Game, start: str, plies: int, seed: int) -> tuple[Any, list[str], PythonGenerator]:
    """Play a random opening. Return its data, its moves, and the generator for later chance outcomes.

    Each of the ``plies`` decisions is uniform. Chance outcomes are played but not counted.
    """
    first = game.position(start).data if start else game.start()
    for attempt in range(MAX_TRIES if plies else 1):
        random = PythonGenerator(derive(seed, "opening", attempt))
        opened = _random_plies(game, first, plies, random)
        if opened is not None:
            return *opened, random
    raise RamifyError(
        f"{MAX_TRIES} random openings of {plies} plies in {game.name} all ended the game: use fewer plies"
        if plies
        else "the game is over in this position"
    )


def first_decision(game: Game, start: str, plies: int) -> State:
    """Return a start position in which a player has to move."""
    data, _, dice = open_game(game, start, plies, 0)
    while game.mover(data) == CHANCE:
        data = game.play(data, dice.outcome(game.chance_outcomes(data)))
    return State(game, data)


def _random_move(game: Game, data: Any, mover: int, random: PythonGenerator) -> Code:
    """Draw a uniform legal move; a joint move if the position is simultaneous."""
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
