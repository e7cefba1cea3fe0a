"""Before a user's game is first played by the engine: a short check, which refuses what would crash or lie.

A few random plays in plain Python, whose arrays are exactly as long as announced, then the same plays compiled.
"""

from __future__ import annotations

from time import perf_counter

from ramify.contract.checking import extras, made
from ramify.contract.checking.checked import Notes
from ramify.contract.checking.kernels import KernelRecords
from ramify.contract.checking.passed import first_time
from ramify.contract.checking.records import PlainRecords
from ramify.contract.checking.walking import Play, repeat, walk
from ramify.contract.checking.watch import PATIENCE, Watch
from ramify.contract.compiled import CompiledGame
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError

PLAIN_SECONDS = 0.3
MOST_PLAYS = 8
FIRST_PLIES, MOST_PLIES = 8, 200


def guard(game: CompiledGame) -> None:
    """Refuse a game that cannot be trusted, and say why."""
    with first_time(game.module, game.name) as first:
        if not first:
            return
        notes = Notes()
        with Watch(PATIENCE) as watch:
            plain = PlainRecords(game, watch)
            plays = walks(plain, notes)
            if not notes.failed:
                extras.ask_plain(plain, notes, plays)
                made.ask_plain(plain, notes, plays)
        if JIT and not notes.failed:
            compiled = KernelRecords(game)
            for play in plays:
                repeat(compiled, notes, play, compiled=True)
        for finding in notes.found.values():
            if finding.severity == "error":
                place = game.binding.file
                raise RamifyError(f"{finding.told()}; `ramify check-game {place}` tells more")


def walks(book: PlainRecords, notes: Notes) -> list[Play]:
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
