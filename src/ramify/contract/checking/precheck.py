"""Before a user's game is first played by the engine: a short check, which refuses what would crash or lie.

A few random plays in plain Python, whose arrays are exactly as long as announced, then the same plays compiled. What
has passed is remembered, and costs nothing from then on.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from types import ModuleType

from ramify.contract.checking import learning_parts, optional_parts
from ramify.contract.checking.call_timeout import CALL_TIMEOUT, CallTimeout
from ramify.contract.checking.probes.compiled_probe import CompiledProbe
from ramify.contract.checking.probes.object_probe import ObjectProbe, check_end
from ramify.contract.checking.probes.probe import GameProbe
from ramify.contract.checking.probes.record_probe import PlainProbe
from ramify.contract.checking.random_plays import Play, random_play, repeat
from ramify.contract.checking.result import FindingLog
from ramify.contract.checking.trusted_files import on_first_use
from ramify.contract.compiled_game import CompiledGame
from ramify.contract.python_game import PythonGame
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError

PLAIN_SECONDS = 0.3
MAX_PLAYS = 8
FIRST_PLIES, MAX_PLIES = 8, 200
MAX_PLAY_PLIES, MAX_CLASS_PLAY_PLIES = 100_000, 10_000  # plies of a random play


def precheck(game: CompiledGame) -> None:
    """Refuse a game of functions that cannot be trusted, and say why."""
    with on_first_use(game.module, game.name) as first, CallTimeout(CALL_TIMEOUT) as watch:
        if first:
            notes = FindingLog()
            learning_parts.check_declared(game, notes)
            plain = PlainProbe(game, watch)
            plays = walks(plain, notes)
            if not notes.failed:
                repeat(plain, notes, plays[0], compiled=False)
                optional_parts.ask_plain(plain, notes, plays)
                learning_parts.ask_plain(plain, notes, plays)
            if JIT and not notes.failed:
                compare(game, notes, plays)
            raise_first_error(notes, game.binding.file)


def precheck_class(game: PythonGame, module: ModuleType) -> None:
    """Refuse a game of a class that cannot be trusted, and say why."""
    file = str(module.__file__)
    with on_first_use(module, game.name) as first, CallTimeout(CALL_TIMEOUT) as watch:
        if first:
            notes = FindingLog()
            book = ObjectProbe(game.rules, file, watch)
            plays = walks(book, notes)
            if not notes.failed:
                repeat(book, notes, plays[0], compiled=False)
                if not all(play.ended for play in plays):
                    with notes.catching(plays[0].where):
                        check_end(book, 0, MAX_CLASS_PLAY_PLIES)
            raise_first_error(notes, file)


def compare(game: CompiledGame, notes: FindingLog, plays: list[Play]) -> None:
    """Play the same compiled."""
    compiled = CompiledProbe(game)
    for play in plays:
        repeat(compiled, notes, play, compiled=True)
    if not notes.failed and not all(play.ended for play in plays):
        with notes.catching(plays[0].where):  # a game's own playout knows no limit
            optional_parts.check_end(
                compiled, "plain_playout" if game.has("playout") else "uniform_playout", 0, 0, MAX_PLAY_PLIES
            )


def raise_first_error(notes: FindingLog, file: str) -> None:
    """Raise the first error."""
    for finding in notes.found.values():
        if finding.severity == "error":
            raise RamifyError(f"{Path(file).name}: {finding.message()}; `ramify check-game {file}` tells more")


def walks(book: GameProbe, notes: FindingLog) -> list[Play]:
    """Random plays for a fraction of a second, whole ones where they are short."""
    began = perf_counter()
    plays: list[Play] = []
    plies = FIRST_PLIES
    while len(plays) < MAX_PLAYS and not notes.failed:
        plays.append(random_play(book, notes, 0, len(plays), plies))
        spent = perf_counter() - began
        if spent > PLAIN_SECONDS:
            break
        speed = sum(len(play.steps) for play in plays) / max(spent, 1e-6)
        plies = int(min(MAX_PLIES, max(FIRST_PLIES, speed * (PLAIN_SECONDS - spent))))
    return plays
