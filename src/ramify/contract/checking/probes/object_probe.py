"""Probe of games whose positions are Python objects: a class in a file, or any ``PythonRules``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, ClassVar

from ramify.contract.checked_class_rules import picture, plain_facts
from ramify.contract.checking.call_timeout import CallTimeout, violation_from_error
from ramify.contract.checking.probes.probe import (
    GameProbe,
    PositionFacts,
    check_mover,
    check_moves,
    check_probabilities,
    check_scores,
)
from ramify.contract.checking.random_plays import ENDLESS_HINT, Play
from ramify.contract.checking.result import ContractViolation, FindingLog
from ramify.contract.checking.texts import check_drawing, check_names
from ramify.contract.class_rules import ClassRules, adopt_old_methods
from ramify.contract.python_rules import PythonGenerator, PythonRules
from ramify.errors import RamifyError

STORED_PLIES = 20  # of a game that is played to see whether a question changes it
ARGUMENTS = {  # of each method, without self
    "to_move": 0,
    "moves": 0,
    "play": 1,
    "over": 0,
    "scores": 0,
    "clone": 0,
    "chance_outcomes": 0,
    "move_name": 1,
}


def check_class(kind: type, log: FindingLog) -> None:
    """Log missing methods and wrong signatures, before the class is used."""
    if renamed := adopt_old_methods(kind):
        pairs = ", ".join(f"{old}() is now {new}()" for old, new in renamed.items())
        log.add(ContractViolation("old-name", f"class {kind.__name__} uses old names: {pairs}", severity="warning"))
    lacking = [f"{name}()" for name in ClassRules.NEEDED if not callable(getattr(kind, name, None))]
    if lacking:
        log.add(ContractViolation("missing", f"class {kind.__name__} has no {', '.join(lacking)}"))
    for name, count in ARGUMENTS.items():
        method = getattr(kind, name, None)
        if inspect.isfunction(method):
            try:
                inspect.signature(method).bind(*[None] * (count + 1))
            except TypeError:
                wanted = f"{name}(self{', move' * count})"
                given = f"{name}{inspect.signature(method)}"
                line = method.__code__.co_firstlineno
                log.add(
                    ContractViolation(
                        "arguments", f"{given} has the wrong number of arguments; it is called as {wanted}", line=line
                    )
                )
    if not has_text(kind):
        message = f"class {kind.__name__} has no __str__, so positions cannot be printed or compared; add one"
        log.add(ContractViolation("drawing", message, severity="warning"))


def has_text(kind: Any) -> bool:
    """Return whether a class defines ``__str__`` or ``__repr__``."""
    return kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__


class ObjectProbe(GameProbe):
    """Positions as Python objects, accessed through ``contract.python_rules.PythonRules``."""

    author_names: ClassVar = {"mover": "to_move", "legal": "moves"}

    def __init__(self, rules: PythonRules, file: str, watchdog: CallTimeout) -> None:
        self.rules = rules
        self.file = file
        self.watchdog = watchdog
        self.players = rules.players

    def call(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the rules. Exceptions become ContractViolations."""
        try:
            return self.watchdog(name, self.file, function, *arguments)
        except ContractViolation:
            raise
        except RamifyError as error:
            raise ContractViolation(name, str(error)) from None
        except Exception as error:  # noqa: BLE001  (author's code may raise anything)
            hint = "; moves must be hashable, e.g. numbers, strings or tuples" if "unhashable" in str(error) else ""
            raise violation_from_error(name, error, self.file, hint) from None

    def ask(self, name: str, question: Callable[[Any], Any], data: Any) -> Any:
        """Ask the rules about a position. Raise if that changes the object, other than by storing the answer."""
        if not isinstance(self.rules, ClassRules):
            return self.call(name, question, data)
        before = picture(data)
        answer = self.call(name, question, data)
        first = picture(data)
        if first != before:
            self.call(name, question, data)
            if picture(data) != first or not self.call(name, self.only_stored, question):
                raise ContractViolation(
                    "changes-state", f"{name}() changes the object; only play may, and the constructor"
                )
        return answer

    def only_stored(self, question: Callable[[Any], Any]) -> bool:
        """Return whether a game goes on in the same way if the question is asked in every position."""
        asked, fresh = self.rules.start(), self.rules.start()
        question(asked)
        for _ in range(STORED_PLIES):
            facts = plain_facts(self.rules, fresh)
            if plain_facts(self.rules, asked) != facts:
                return False
            if facts[0]:
                break
            move = facts[-1][-1]
            for state in (asked, fresh):
                self.rules.play(state, move)
            question(asked)
        return True

    def start(self) -> Any:
        return self.call("the constructor", self.rules.start)

    def over(self, data: Any) -> bool:
        return bool(self.ask("over", self.rules.over, data))

    def mover(self, data: Any) -> int:
        chance = not isinstance(self.rules, ClassRules) or hasattr(data, "chance_outcomes")
        mover = self.ask("to_move", self.rules.mover, data)
        return check_mover("to_move", mover, self.players, chance=chance, simultaneous=False)

    def legal(self, data: Any) -> tuple[int, ...]:
        return self.check_listed("moves", self.ask("moves", self.rules.legal, data))

    def legal_of(self, data: Any, player: int) -> tuple[int, ...]:
        raise NotImplementedError

    def check_listed(self, name: str, moves: Sequence[int]) -> tuple[int, ...]:
        """Return the moves, or raise if there are too many or they are invalid."""
        most = self.rules.max_children
        if len(moves) > most:
            raise ContractViolation(
                "too-many-moves", f"{name} lists {len(moves)} moves, more than the {most} that max_moves declares"
            )
        return check_moves(name, moves)

    def chance_outcomes(self, data: Any) -> tuple[tuple[int, ...], tuple[float, ...]]:
        pairs = self.ask("chance_outcomes", self.rules.chance_outcomes, data)
        return self.check_listed("chance_outcomes", [move for move, _ in pairs]), check_probabilities(
            [p for _, p in pairs]
        )

    def play(self, data: Any, move: int) -> Any:
        before = self.fingerprint(data)
        after = self.call("clone", self.rules.clone, data)
        if after is data or self.fingerprint(after) != before:
            raise ContractViolation(
                "clone", "clone does not return an equal, new object; it must return an independent copy"
            )
        self.call("play", self.rules.play, after, move)
        if self.fingerprint(data) != before:
            raise ContractViolation(
                "clone",
                f"playing {self.move_text(move)} on a clone changed the original; clone must also copy"
                " lists and other mutable fields",
            )
        if self.fingerprint(after) == before and repr(getattr(after, "__dict__", 0)) == repr(
            getattr(data, "__dict__", 1)
        ):
            raise ContractViolation(
                "play-does-nothing",
                f"play({self.move_text(move)}) changes nothing; it must change the object in place,"
                " not return a new one",
            )
        return after

    def play_joint(self, data: Any, moves: Sequence[int]) -> Any:
        raise NotImplementedError

    def scores(self, data: Any) -> tuple[float, ...]:
        return check_scores(self.ask("scores", self.rules.scores, data), self.players)

    def fingerprint(self, data: Any) -> object:
        return self.inspect(data), self.drawing(data) if has_text(type(data)) else None

    def move_text(self, move: int) -> str:
        return repr(self.rules.values[move]) if isinstance(self.rules, ClassRules) else str(move)

    def names(self, data: Any, moves: Sequence[int]) -> Sequence[object]:
        names: list[str] = self.call("move_name", self.rules.move_names, data, moves)
        return names

    def drawing(self, data: Any) -> object:
        return self.ask("__str__", self.rules.draw, data)


def check_objects(probe: ObjectProbe, log: FindingLog, plays: list[Play], seed: int, plies: int) -> None:
    """Log invalid names, ambiguous drawings, and games that do not end."""
    drawn: dict[object, PositionFacts] = {}
    for play in plays:
        for ply, step in enumerate(play.steps):
            with log.catching(play.at(ply)):
                check_names(probe, log, step)
            with log.catching(play.at(ply)):
                check_drawing(probe, step)
                drawing = probe.drawing(step.data)
                if drawn.setdefault(drawing, step.facts) != step.facts:
                    message = (
                        "str() is the same for positions that differ in their moves or mover, so they count as equal"
                    )
                    raise ContractViolation("same-drawing", f"{message}; make it complete", severity="warning")
    with log.catching(Play(seed, 0).where):
        check_end(probe, seed, plies)


def check_end(probe: ObjectProbe, seed: int, plies: int) -> None:
    """Raise if a random game does not end within ``plies``."""
    if probe.call("play", probe.rules.playout, probe.start(), PythonGenerator(seed), plies) < 0:
        raise ContractViolation("endless", ENDLESS_HINT.format(plies=plies))


def candidates(module: ModuleType) -> list[type]:
    """Return the classes of a file that look like games, the most likely first."""
    own = [value for value in vars(module).values() if inspect.isclass(value) and value.__module__ == module.__name__]
    likeness = {kind: sum(hasattr(kind, name) for name in ClassRules.NEEDED) for kind in own}
    return sorted((kind for kind in own if likeness[kind] >= 2), key=lambda kind: -likeness[kind])
