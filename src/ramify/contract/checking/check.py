"""The stages of a check, in order."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from types import ModuleType

from ramify.contract import registry
from ramify.contract.checking import fairness, learning_parts, optional_parts, texts
from ramify.contract.checking.call_timeout import CallTimeout, error_location, violation_from_error
from ramify.contract.checking.layout import check_layout, check_parameters
from ramify.contract.checking.probes.compiled_probe import CompiledProbe, compile_all
from ramify.contract.checking.probes.generic_probe import GenericProbe
from ramify.contract.checking.probes.object_probe import ObjectProbe, candidates, check_class, check_objects
from ramify.contract.checking.probes.probe import GameProbe
from ramify.contract.checking.probes.record_probe import PlainProbe, describe_error
from ramify.contract.checking.random_plays import ENDLESS_HINT, Play, check_same_position, random_play, repeat
from ramify.contract.checking.result import ContractViolation, FindingLog, GameCheckResult
from ramify.contract.compiled_game import CompiledGame
from ramify.contract.game import Game
from ramify.contract.load import bridges, load
from ramify.contract.python_game import PythonGame
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.grammar import Call, parse
from ramify.numpy_scalars import accepting_numpy
from ramify.old_names import note
from ramify.paths import expanded, is_file, resolved

PLAIN_POSITIONS = 800  # inspected in plain Python, 0.1 to 5 ms each; at least one play
PLAIN_MOVES = 15_000  # listed in those positions
REPEATED_PLIES = 100  # of the first play
TEXT_POSITIONS = 60
COMPILED_PLAYS = 10  # per plain play
COMPILED_POSITIONS = 6000  # 0.1 ms each
FAIR_PLAYOUTS = 50  # must all end


@accepting_numpy
def check_game(
    game: str | Path | Game,
    *,
    plays: int = 10,
    seed: int = 0,
    plies: int = 10_000,
    timeout: float = 10.0,
    patience: float | None = None,
) -> GameCheckResult:
    """Check a game, given by name (``hex(size=5)``), as a file or as a Game. Errors become findings.

    ``plays`` random games are played in plain Python and repeated compiled; ten times as many are played compiled only.
    A game must end within ``plies``, and a function must return within ``timeout`` seconds. The same seed repeats the
    check. Raises RamifyError if there is no such game or file, or if its parameters are invalid. ``patience`` is the
    old name of ``timeout``.
    """
    if patience is not None:
        note("patience", "timeout")
        timeout = patience
    began = perf_counter()
    log = FindingLog()
    with CallTimeout(timeout) as watchdog:
        kind = Checker(log, watchdog, plays, seed, plies).run(game)
    return GameCheckResult(
        game=game.name if isinstance(game, Game) else str(game),
        kind=kind,
        findings=tuple(log.found.values()),
        counts=dict(log.counts),
        skipped=tuple(log.skipped),
        seconds=perf_counter() - began,
    )


class Checker:
    """One check; each stage requires the previous ones to pass."""

    def __init__(self, log: FindingLog, watchdog: CallTimeout, plays: int, seed: int, plies: int) -> None:
        self.log = log
        self.watchdog = watchdog
        self.plays = plays
        self.seed = seed
        self.plies = plies

    def run(self, game: str | Path | Game) -> str:
        """Check ``game``. Return its kind: "compiled", "class", "game" or "unknown"."""
        if isinstance(game, CompiledGame):
            return self.compiled(game.module, game)
        if isinstance(game, PythonGame):
            return self.objects(game, "")
        if isinstance(game, Game):
            return self.probed(GenericProbe(game, self.watchdog), "game")
        bridged = isinstance(game, str) and ":" in game and game.partition(":")[0] in bridges()
        call = Call(str(game)) if bridged or isinstance(game, Path) or is_file(game) else parse(game)
        if bridged or not registry.is_path(call.name):
            return self.run(load(str(game)))
        module = self.imported(call.name)
        if module is None:
            return "unknown"
        kinds = [] if hasattr(module, "start") else candidates(module)
        return self.class_file(kinds, call, str(module.__file__)) if kinds else self.compiled(module, call)

    def stopped(self, left: str) -> bool:
        """Return whether errors forbid the next stages; if so, list ``left`` as skipped."""
        if self.log.failed:
            self.log.skipped.append(left)
        return self.log.failed

    def imported(self, name: str) -> ModuleType | None:
        """Import a file. Return None, and log why, if that fails."""
        file = str(resolved(expanded(name)))
        with self.log.catching():
            try:
                return registry.import_file(name)
            except RamifyError as error:
                cause = error.__cause__
                if cause is None:
                    raise
                if isinstance(cause, SyntaxError):
                    code = f" (`{cause.text.strip()}`)" if cause.text else ""
                    other = "" if cause.filename == file else f" of {Path(str(cause.filename)).name}"
                    where = "the file" if cause.lineno is None else f"line {cause.lineno}{other}"
                    sentence = f"{where} is not valid Python{code}: {cause.msg}"
                    raise ContractViolation("import", sentence, line=cause.lineno) from None
                line, at = error_location(cause, file)
                sentence = f"the file cannot be imported: {type(cause).__name__}{at}: {cause}"
                raise ContractViolation("import", sentence, line=line) from None
        self.stopped("everything except the import")
        return None

    def compiled(self, module: ModuleType, source: Call | CompiledGame) -> str:
        """Check a file of functions over records."""
        check_layout(module, self.log)
        if self.stopped("everything that runs"):
            return "compiled"
        game = source if isinstance(source, CompiledGame) else self.configured(module, source)
        if game is None:
            self.stopped("everything that plays")
            return "compiled"
        check_parameters(game, self.log, self.watchdog)
        learning_parts.check_declared(game, self.log)
        plain = PlainProbe(game, self.watchdog)
        plays = self.plain_plays(plain)
        if self.stopped("optional functions, texts and compiled code"):
            return "compiled"
        optional_parts.ask_plain(plain, self.log, plays)
        learning_parts.ask_plain(plain, self.log, plays)
        texts.check_texts(plain, self.log, plays, TEXT_POSITIONS)
        if not JIT:
            self.log.skipped.append("compiled code, because NUMBA_DISABLE_JIT is set")
        elif not self.stopped("compiled code"):
            self.kernels(game, plays)
        return "compiled"

    def configured(self, module: ModuleType, call: Call) -> CompiledGame | None:
        """Return the game with its parameters, or None, with a finding, if ``configure`` or a constant fails."""
        with self.log.catching():
            try:
                game: CompiledGame = self.watchdog("configure", str(module.__file__), CompiledGame, module, call)
            except ContractViolation:
                raise
            except RamifyError as error:
                if call.arguments:
                    raise
                raise ContractViolation("configure", f"configure fails with its own defaults: {error}") from None
            except Exception as error:  # noqa: BLE001  (author's code may raise anything)
                raise describe_error(error, "configure", module) from None
            return game
        return None

    def plain_plays(self, probe: GameProbe) -> list[Play]:
        """Play random games in Python, and repeat the first one."""
        plays: list[Play] = []
        positions, moves = PLAIN_POSITIONS, PLAIN_MOVES
        while len(plays) < self.plays and positions > 0 and moves > 0:
            play = random_play(probe, self.log, self.seed, len(plays), min(self.plies, positions))
            if len(play.moves) == self.plies and not play.ended:
                self.log.add(ContractViolation("endless", ENDLESS_HINT.format(plies=self.plies)), play.where)
            positions -= max(1, len(play.steps))
            moves -= sum(len(listed) for step in play.steps for listed in step.facts.moves)
            plays.append(play)
        if not self.log.failed:
            for play in plays[1:]:
                with self.log.catching(play.at(0)):
                    check_same_position(probe, "start", plays[0].steps[0].data, play.steps[0].data, compiled=False)
            repeat(probe, self.log, plays[0], compiled=False, plies=REPEATED_PLIES)
        return plays

    def kernels(self, game: CompiledGame, plays: list[Play]) -> None:
        """Check the compiled functions."""
        compile_all(game, self.log)
        if self.stopped("how the compiled functions play"):
            return
        probe = CompiledProbe(game)
        compiled_parts = learning_parts.CompiledLearningParts(probe)
        for play in plays:
            repeat(probe, self.log, play, compiled=True)
            optional_parts.ask_compiled(probe, self.log, play)
            compiled_parts.ask(self.log, play)
        if self.stopped("plays that are only compiled"):
            return
        uniform = "plain_playout" if game.binding.has("playout") else "uniform_playout"
        for number in range(FAIR_PLAYOUTS):
            with self.log.catching(Play(self.seed, number).where):
                optional_parts.check_end(probe, uniform, self.seed, number, self.plies)
        left = COMPILED_POSITIONS
        for number in range(self.plays, self.plays * (1 + COMPILED_PLAYS)):
            if left > 0:
                left -= len(random_play(probe, self.log, self.seed, number, min(self.plies, left)).steps)
        if not self.stopped("whether random draws are fair"):
            if game.binding.has("sample"):
                fairness.check_sample(probe, self.log, plays)
            for name in ("heuristic", "heuristic_of", "script", "published_heuristic"):
                if game.binding.has(name):
                    fairness.check_drawing(probe, self.log, plays, name)
            if game.binding.has("playout"):
                fairness.check_playout(probe, self.log, plays, self.plies)

    def class_file(self, kinds: list[type], call: Call, file: str) -> str:
        """Check the class of a file that looks most like a game."""
        kind = kinds[0]
        if len(kinds) > 1:
            names = " and ".join(one.__name__ for one in kinds)
            self.log.add(ContractViolation("missing", f"the file has the classes {names}; it must have one game class"))
        check_class(kind, self.log)
        game: PythonGame | None = None
        if not self.stopped("everything that runs"):
            with self.log.catching():
                game = self.make_game(kind, call, file)
        if game is None:
            self.stopped("everything that plays")
            return "class"
        return self.objects(game, file)

    def make_game(self, kind: type, call: Call, file: str) -> PythonGame:
        """Construct the game of a class, or raise ContractViolation."""
        try:
            game: PythonGame = self.watchdog("the constructor", file, PythonGame.from_class, kind, call)
        except ContractViolation:
            raise
        except RamifyError as error:
            if call.arguments:
                raise
            raise ContractViolation("configure", str(error)) from None
        except Exception as error:  # noqa: BLE001  (author's code may raise anything)
            raise violation_from_error("the constructor", error, file) from None
        return game

    def objects(self, game: PythonGame, file: str) -> str:
        """Check a game whose positions are Python objects."""
        return self.probed(ObjectProbe(game.rules, file, self.watchdog), "class")

    def probed(self, probe: ObjectProbe, kind: str) -> str:
        """Check the rules along random plays."""
        plays = self.plain_plays(probe)
        if not self.stopped("names, drawings and whether the game ends"):
            check_objects(probe, self.log, plays, self.seed, self.plies)
        return kind
