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
from ramify.contract.checking.random_plays import ENDLESS_HINT, Play, differ, random_play, repeat
from ramify.contract.checking.result import ContractViolation, FindingLog, GameCheckResult
from ramify.contract.compiled_game import CompiledGame
from ramify.contract.game import Game
from ramify.contract.load import bridges, load
from ramify.contract.python_game import PythonGame
from ramify.core.kernels.compiling import JIT
from ramify.errors import RamifyError
from ramify.grammar import Call, parse
from ramify.old_names import note

PLAIN_POSITIONS = 800  # looked at in plain Python, 0.1 to 5 ms each; one play at least
PLAIN_MOVES = 15_000  # listed there
REPEATED_PLIES = 100  # of the first play
TEXT_POSITIONS = 60
COMPILED_PLAYS = 10  # for each plain one
COMPILED_POSITIONS = 6000  # 0.1 ms each
FAIR_PLAYOUTS = 50  # that must end


def check_game(
    game: str | Path | Game,
    *,
    plays: int = 10,
    seed: int = 0,
    plies: int = 10_000,
    timeout: float = 10.0,
    patience: float | None = None,
) -> GameCheckResult:
    """Test a game by its name (``hex(size=5)``), its file or itself; the findings are data, never a traceback.

    ``plays`` random games are played in plain Python and again compiled, and ten times as many only compiled. A game
    must end within ``plies``, and a function return within ``timeout`` seconds. The same seed finds the same.
    RamifyError: there is no such game or file, or its parameters are refused.
    """
    if patience is not None:
        note("patience", "timeout")
        timeout = patience
    began = perf_counter()
    notes = FindingLog()
    with CallTimeout(timeout) as watch:
        kind = Checker(notes, watch, plays, seed, plies).run(game)
    return GameCheckResult(
        game=game.name if isinstance(game, Game) else str(game),
        kind=kind,
        findings=tuple(notes.found.values()),
        counts=dict(notes.counts),
        skipped=tuple(notes.skipped),
        seconds=perf_counter() - began,
    )


class Checker:
    """One check; each stage needs the ones before."""

    def __init__(self, notes: FindingLog, watch: CallTimeout, plays: int, seed: int, plies: int) -> None:
        self.notes = notes
        self.watch = watch
        self.plays = plays
        self.seed = seed
        self.plies = plies

    def run(self, game: str | Path | Game) -> str:
        """Check what was given; which kind it is."""
        if isinstance(game, CompiledGame):
            return self.compiled(game.module, game)
        if isinstance(game, PythonGame):
            return self.objects(game, "")
        if isinstance(game, Game):
            return self.asked(GenericProbe(game, self.watch), "game")
        bridged = isinstance(game, str) and ":" in game and game.partition(":")[0] in bridges()
        call = Call(str(game)) if bridged or isinstance(game, Path) or Path(game).is_file() else parse(game)
        if bridged or not registry.is_path(call.name):
            return self.run(load(str(game)))
        module = self.imported(call.name)
        if module is None:
            return "unknown"
        kinds = [] if hasattr(module, "start") else candidates(module)
        return self.class_file(kinds, call, str(module.__file__)) if kinds else self.compiled(module, call)

    def stopped(self, left: str) -> bool:
        """Whether errors make it useless to go on; what is left then is noted."""
        if self.notes.failed:
            self.notes.skipped.append(left)
        return self.notes.failed

    def imported(self, name: str) -> ModuleType | None:
        """The module of a file, if it can be imported."""
        file = str(Path(name).expanduser().resolve())
        with self.notes.catching():
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
                    sentence = f"{where} is not Python{code}: {cause.msg}"
                    raise ContractViolation("import", sentence, line=cause.lineno) from None
                line, at = error_location(cause, file)
                sentence = f"the file cannot be imported: {type(cause).__name__}{at}: {cause}"
                raise ContractViolation("import", sentence, line=line) from None
        self.stopped("everything but the import")
        return None

    def compiled(self, module: ModuleType, source: Call | CompiledGame) -> str:
        """Check a file of functions over records."""
        check_layout(module, self.notes)
        if self.stopped("everything that runs"):
            return "compiled"
        game = source if isinstance(source, CompiledGame) else self.configured(module, source)
        if game is None:
            self.stopped("everything that plays")
            return "compiled"
        check_parameters(game, self.notes, self.watch)
        learning_parts.check_declared(game, self.notes)
        plain = PlainProbe(game, self.watch)
        plays = self.walks(plain)
        if self.stopped("optional functions, texts and compiled code"):
            return "compiled"
        optional_parts.ask_plain(plain, self.notes, plays)
        learning_parts.ask_plain(plain, self.notes, plays)
        texts.check_texts(plain, self.notes, plays, TEXT_POSITIONS)
        if not JIT:
            self.notes.skipped.append("compiled code, because NUMBA_DISABLE_JIT is set")
        elif not self.stopped("compiled code"):
            self.kernels(game, plays)
        return "compiled"

    def configured(self, module: ModuleType, call: Call) -> CompiledGame | None:
        """The game with its parameters, if ``configure`` and the numbers work."""
        with self.notes.catching():
            try:
                game: CompiledGame = self.watch("configure", str(module.__file__), CompiledGame, module, call)
            except ContractViolation:
                raise
            except RamifyError as error:
                if call.arguments:
                    raise
                raise ContractViolation(
                    "configure", f"the game cannot be made with its own defaults: {error}"
                ) from None
            except Exception as error:  # noqa: BLE001  (whatever an author's code may raise)
                raise describe_error(error, "configure", module) from None
            return game
        return None

    def walks(self, book: GameProbe) -> list[Play]:
        """Random plays in Python, the first of them twice."""
        plays: list[Play] = []
        positions, moves = PLAIN_POSITIONS, PLAIN_MOVES
        while len(plays) < self.plays and positions > 0 and moves > 0:
            play = random_play(book, self.notes, self.seed, len(plays), min(self.plies, positions))
            if len(play.moves) == self.plies and not play.ended:
                self.notes.add(ContractViolation("endless", ENDLESS_HINT.format(plies=self.plies)), play.where)
            positions -= max(1, len(play.steps))
            moves -= sum(len(listed) for step in play.steps for listed in step.look.moves)
            plays.append(play)
        if not self.notes.failed:
            for play in plays[1:]:
                with self.notes.catching(play.at(0)):
                    differ(book, "start", plays[0].steps[0].data, play.steps[0].data, compiled=False)
            repeat(book, self.notes, plays[0], compiled=False, plies=REPEATED_PLIES)
        return plays

    def kernels(self, game: CompiledGame, plays: list[Play]) -> None:
        """Check the compiled functions."""
        compile_all(game, self.notes)
        if self.stopped("how the compiled functions play"):
            return
        book = CompiledProbe(game)
        compiled_made = learning_parts.CompiledLearningParts(book)
        for play in plays:
            repeat(book, self.notes, play, compiled=True)
            optional_parts.ask_compiled(book, self.notes, play)
            compiled_made.ask(self.notes, play)
        if self.stopped("plays that are only compiled"):
            return
        uniform = "plain_playout" if game.binding.has("playout") else "uniform_playout"
        for number in range(FAIR_PLAYOUTS):
            with self.notes.catching(Play(self.seed, number).where):
                optional_parts.check_end(book, uniform, self.seed, number, self.plies)
        left = COMPILED_POSITIONS
        for number in range(self.plays, self.plays * (1 + COMPILED_PLAYS)):
            if left > 0:
                left -= len(random_play(book, self.notes, self.seed, number, min(self.plies, left)).steps)
        if not self.stopped("whether random draws are fair"):
            if game.binding.has("sample"):
                fairness.check_sample(book, self.notes, plays)
            for name in ("heuristic", "heuristic_of", "script", "published_heuristic"):
                if game.binding.has(name):
                    fairness.check_drawing(book, self.notes, plays, name)
            if game.binding.has("playout"):
                fairness.check_playout(book, self.notes, plays, self.plies)

    def class_file(self, kinds: list[type], call: Call, file: str) -> str:
        """Check a file with a class, the one that looks most like a game."""
        kind = kinds[0]
        if len(kinds) > 1:
            names = " and ".join(one.__name__ for one in kinds)
            self.notes.add(
                ContractViolation(
                    "missing", f"the file has the classes {names}; a file is one game, with one such class"
                )
            )
        check_class(kind, self.notes)
        game: PythonGame | None = None
        if not self.stopped("everything that runs"):
            with self.notes.catching():
                game = self.made(kind, call, file)
        if game is None:
            self.stopped("everything that plays")
            return "class"
        return self.objects(game, file)

    def made(self, kind: type, call: Call, file: str) -> PythonGame:
        """The game of a class, if it can be constructed."""
        try:
            game: PythonGame = self.watch("the constructor", file, PythonGame.from_class, kind, call)
        except ContractViolation:
            raise
        except RamifyError as error:
            if call.arguments:
                raise
            raise ContractViolation("configure", str(error)) from None
        except Exception as error:  # noqa: BLE001  (whatever an author's code may raise)
            raise violation_from_error("the constructor", error, file) from None
        return game

    def objects(self, game: PythonGame, file: str) -> str:
        """Check positions that are Python objects."""
        return self.asked(ObjectProbe(game.rules, file, self.watch), "class")

    def asked(self, book: ObjectProbe, kind: str) -> str:
        """Check what rules say of positions."""
        plays = self.walks(book)
        if not self.stopped("names, drawings and whether the game ends"):
            check_objects(book, self.notes, plays, self.seed, self.plies)
        return kind
