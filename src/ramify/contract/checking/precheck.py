"""Before a user's game is first played by the engine: a short check, which refuses what would crash or lie.

A few random plays in plain Python, whose arrays are exactly as long as announced, then the same plays compiled. What
has passed is remembered, and costs nothing from then on.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from types import ModuleType

from ramify.contract.checking import learning_parts as made
from ramify.contract.checking import optional_parts as extras
from ramify.contract.checking.call_timeout import PATIENCE, Watch
from ramify.contract.checking.probes.compiled_probe import KernelRecords
from ramify.contract.checking.probes.object_probe import Objects, check_end
from ramify.contract.checking.probes.probe import Rulebook
from ramify.contract.checking.probes.record_probe import PlainRecords
from ramify.contract.checking.random_plays import Play, repeat, walk
from ramify.contract.checking.result import Notes
from ramify.contract.checking.trusted_files import first_time
from ramify.contract.compiled_game import CompiledGame
from ramify.contract.python_game import UncompiledGame
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError

PLAIN_SECONDS = 0.3
MOST_PLAYS = 8
FIRST_PLIES, MOST_PLIES = 8, 200
LONGEST, LONGEST_OF_CLASS = 100_000, 10_000  # plies of a random play


def guard(game: CompiledGame) -> None:
    """Refuse a game of functions that cannot be trusted, and say why."""
    with first_time(game.module, game.name) as first, Watch(PATIENCE) as watch:
        if first:
            notes = Notes()
            made.check_announced(game, notes)
            plain = PlainRecords(game, watch)
            plays = walks(plain, notes)
            if not notes.failed:
                repeat(plain, notes, plays[0], compiled=False)
                extras.ask_plain(plain, notes, plays)
                made.ask_plain(plain, notes, plays)
            if JIT and not notes.failed:
                compare(game, notes, plays)
            refuse(notes, game.binding.file)


def guard_class(game: UncompiledGame, module: ModuleType) -> None:
    """Refuse a game of a class that cannot be trusted, and say why."""
    file = str(module.__file__)
    with first_time(module, game.name) as first, Watch(PATIENCE) as watch:
        if first:
            notes = Notes()
            book = Objects(game.rules, file, watch)
            plays = walks(book, notes)
            if not notes.failed:
                repeat(book, notes, plays[0], compiled=False)
                if not all(play.ended for play in plays):
                    with notes.catching(plays[0].where):
                        check_end(book, 0, LONGEST_OF_CLASS)
            refuse(notes, file)


def compare(game: CompiledGame, notes: Notes, plays: list[Play]) -> None:
    """Play the same compiled."""
    compiled = KernelRecords(game)
    for play in plays:
        repeat(compiled, notes, play, compiled=True)
    if not notes.failed and not all(play.ended for play in plays):
        with notes.catching(plays[0].where):  # a game's own playout knows no limit
            extras.check_end(compiled, "plain_playout" if game.has("playout") else "uniform_playout", 0, 0, LONGEST)


def refuse(notes: Notes, file: str) -> None:
    """Raise the first error."""
    for finding in notes.found.values():
        if finding.severity == "error":
            raise RamifyError(f"{Path(file).name}: {finding.told()}; `ramify check-game {file}` tells more")


def walks(book: Rulebook, notes: Notes) -> list[Play]:
    """Random plays for a fraction of a second, whole ones where they are short."""
    began = perf_counter()
    plays: list[Play] = []
    plies = FIRST_PLIES
    while len(plays) < MOST_PLAYS and not notes.failed:
        plays.append(walk(book, notes, 0, len(plays), plies))
        spent = perf_counter() - began
        if spent > PLAIN_SECONDS:
            break
        speed = sum(len(play.steps) for play in plays) / max(spent, 1e-6)
        plies = int(min(MOST_PLIES, max(FIRST_PLIES, speed * (PLAIN_SECONDS - spent))))
    return plays
