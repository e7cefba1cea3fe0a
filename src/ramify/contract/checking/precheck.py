"""A short check before the engine first plays a user's game; rejects games that would crash or give wrong results.

A few random games are played in plain Python, with arrays exactly as long as declared, and repeated compiled. More are
played compiled only. Files that pass are recorded and not checked again.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from time import perf_counter
from types import ModuleType

from ramify.contract.checking import fairness, learning_parts, optional_parts, texts
from ramify.contract.checking.call_timeout import CALL_TIMEOUT, CallTimeout
from ramify.contract.checking.layout import check_layout
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

PLAIN_SECONDS, COMPILED_SECONDS = 0.3, 0.05
MAX_PLAYS = 8
SAMPLED_POSITIONS, SHOWN_POSITIONS = 4, 12
MUTATED_TEXTS = 300  # read before the first position that a user gives as text
FIRST_PLIES, MAX_PLIES = 8, 200
MAX_PLAY_PLIES, MAX_CLASS_PLAY_PLIES = 100_000, 10_000  # maximum plies of a random play


def precheck(game: CompiledGame) -> None:
    """Raise RamifyError if a game of functions fails the check."""
    with on_first_use(game.module, game.name) as first, CallTimeout(CALL_TIMEOUT) as watchdog:
        if first:
            log = FindingLog()
            learning_parts.check_declared(game, log)
            check_layout(game.module, log)
            raise_first_error(log, game.binding.file)
            plain = PlainProbe(game, watchdog)
            plays = short_plays(plain, log)
            if not log.failed:
                repeat(plain, log, plays[0], compiled=False)
                optional_parts.ask_plain(plain, log, plays)
                learning_parts.ask_plain(plain, log, plays)
                texts.check_shown(plain, log, plays, SHOWN_POSITIONS)
            if JIT and not log.failed:
                compare(game, log, plays)
            raise_first_error(log, game.binding.file)


def precheck_class(game: PythonGame, module: ModuleType) -> None:
    """Raise RamifyError if a game of a class fails the check."""
    file = str(module.__file__)
    with on_first_use(module, game.name) as first, CallTimeout(CALL_TIMEOUT) as watchdog:
        if first:
            log = FindingLog()
            probe = ObjectProbe(game.rules, file, watchdog)
            plays = short_plays(probe, log)
            if not log.failed:
                repeat(probe, log, plays[0], compiled=False)
                for ply, step in enumerate(plays[0].steps):
                    with log.catching(plays[0].at(ply)):
                        texts.check_names(probe, log, step)
                        texts.check_drawing(probe, step)
                if not all(play.ended for play in plays):
                    with log.catching(plays[0].where):
                        check_end(probe, 0, MAX_CLASS_PLAY_PLIES)
            raise_first_error(log, file)


def precheck_reading(game: CompiledGame) -> None:
    """Raise RamifyError if a game of functions misreads texts; a search that reads none may still play it."""
    with on_first_use(game.module, game.name, "read") as first, CallTimeout(CALL_TIMEOUT) as watchdog:
        if first:
            log = FindingLog()
            plain = PlainProbe(game, watchdog)
            plays = [random_play(plain, log, 0, 0, MAX_PLIES)]
            shown = [] if log.failed else texts.check_shown(plain, log, plays, SHOWN_POSITIONS)
            if shown and not log.failed:
                texts.check_reading(plain, log, shown, Random(0), MUTATED_TEXTS)  # noqa: S311  (no secrets here)
            raise_first_error(log, game.binding.file)


def compare(game: CompiledGame, log: FindingLog, plays: list[Play]) -> None:
    """Repeat the plays compiled, and log differences. Then play more games, and compare parts with uniform play."""
    compiled = CompiledProbe(game)
    for play in plays:
        repeat(compiled, log, play, compiled=True)
    end = perf_counter() + COMPILED_SECONDS
    number = len(plays)
    while not log.failed and perf_counter() < end:
        random_play(compiled, log, 0, number, MAX_PLIES)
        number += 1
    if not log.failed and not all(play.ended for play in plays):
        with log.catching(plays[0].where):  # a game's own playout ignores limits
            optional_parts.check_end(
                compiled, "plain_playout" if game.has("playout") else "uniform_playout", 0, 0, MAX_PLAY_PLIES
            )
    if not log.failed and game.has("sample"):
        fairness.check_sample(compiled, log, plays, SAMPLED_POSITIONS)
    if not log.failed and game.has("playout"):
        check_playout(compiled, log, plays)


def check_playout(compiled: CompiledProbe, log: FindingLog, plays: list[Play]) -> None:
    """Compare the game's own playouts with the plain ones, and their results with those of uniform play."""
    for play in plays:
        for step in play.steps:
            step.extra = {name: answer for name, answer in step.extra.items() if name == "playout"}
        optional_parts.ask_compiled(compiled, log, play)
    with log.catching(plays[0].where):
        if not log.failed and fairness.is_suspicious(compiled, plays):
            fairness.check_playout(compiled, log, plays, MAX_PLAY_PLIES)


def raise_first_error(log: FindingLog, file: str) -> None:
    """Raise the first error of the log, if there is one."""
    for finding in log.found.values():
        if finding.severity == "error":
            raise RamifyError(f"{Path(file).name}: {finding.message()}; for details run `ramify check-game {file}`")


def short_plays(probe: GameProbe, log: FindingLog) -> list[Play]:
    """Play random games for PLAIN_SECONDS, to their end if they are short."""
    began = perf_counter()
    plays: list[Play] = []
    plies = FIRST_PLIES
    while len(plays) < MAX_PLAYS and not log.failed:
        plays.append(random_play(probe, log, 0, len(plays), plies))
        spent = perf_counter() - began
        if spent > PLAIN_SECONDS:
            break
        speed = sum(len(play.steps) for play in plays) / max(spent, 1e-6)
        plies = int(min(MAX_PLIES, max(FIRST_PLIES, speed * (PLAIN_SECONDS - spent))))
    return plays
