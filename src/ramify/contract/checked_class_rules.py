"""The rules of a user's class during a search: they notice methods other than ``play`` that change the object.

A precheck sees a few random games, and a class may change only later. Comparing an object before and after a question
takes longer than most questions, so only one simulation in CHECKED_EVERY is checked, and the others run the rules as
they are. A method may store its answer in the object: that changes nothing that the rules return.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ramify.contract.class_rules import ClassRules
from ramify.contract.python_rules import PythonGenerator, PythonRules
from ramify.core.search.tree import CHANCE
from ramify.errors import GameViolationError

CHECKED_EVERY = 256  # simulations; a checked one takes about ten times as long
CHECKED = ("play", "over", "mover", "legal", "chance_outcomes", "scores", "playout", "traced_playout")
COMPARED_PLIES = 20  # of the games that show whether a changed object still plays as its copy

Answer = TypeVar("Answer")


class SampledClassRules(ClassRules):
    """Shares moves and their codes with the rules of the game. A simulation begins with a clone of its root."""

    def __init__(self, rules: ClassRules) -> None:
        self.__dict__.update(vars(rules))
        self.unchecked = rules
        checked = CheckedClassRules(rules)
        self.checked = {name: getattr(checked, name) for name in CHECKED}
        self.clones = 0

    def for_search(self) -> ClassRules:
        return SampledClassRules(self.unchecked)

    def clone(self, state: Any) -> Any:
        self.clones += 1
        turn = self.clones % CHECKED_EVERY
        if turn == 0:
            vars(self).update(self.checked)
        elif turn == 1:
            for name in self.checked:
                vars(self).pop(name, None)
        return super().clone(state)


class CheckedClassRules(ClassRules):
    """Checks every question."""

    def __init__(self, rules: ClassRules) -> None:
        self.__dict__.update(vars(rules))
        self.unchecked = rules
        self.seen: tuple[Any, bytes | str] = (None, "")  # the last position, and its picture unless it was played on

    def play(self, state: Any, code: int) -> None:
        self.seen = (None, "")
        super().play(state, code)

    def over(self, state: Any) -> bool:
        return self._ask("over", super().over, state)

    def mover(self, state: Any) -> int:
        return self._ask("to_move", super().mover, state)

    def legal(self, state: Any) -> list[int]:
        return self._ask("moves", super().legal, state)

    def chance_outcomes(self, state: Any) -> list[tuple[int, float]]:
        return self._ask("chance_outcomes", super().chance_outcomes, state)

    def scores(self, state: Any) -> Sequence[float]:
        return self._ask("scores", super().scores, state)

    def playout(self, state: Any, random: PythonGenerator, limit: int) -> int:
        return PythonRules.playout(self, state, random, limit)

    def traced_playout(self, state: Any, random: PythonGenerator, limit: int) -> tuple[int, list[tuple[int, int]]]:
        return PythonRules.traced_playout(self, state, random, limit)

    def _ask(self, name: str, question: Callable[[Any], Answer], state: Any) -> Answer:
        """Ask about a position. Raise if that changes the object, other than by storing the answer."""
        before = self.seen[1] if self.seen[0] is state else picture(state)
        copy = None if isinstance(before, bytes) else self.clone(state)
        answer = question(state)
        first = picture(state)
        if first != before:
            question(state)
            original = pickle.loads(before) if isinstance(before, bytes) else copy  # noqa: S301  (our own picture)
            if picture(state) != first or not self._plays_as(self.clone(state), original):
                raise GameViolationError(f"{name}() of class {self.title} changed the object; only play may")
        self.seen = (state, first)
        return answer

    def _plays_as(self, changed: Any, copy: Any) -> bool:
        """Whether two objects are the same position as far as a game shows it."""
        for _ in range(COMPARED_PLIES):
            facts = plain_facts(self.unchecked, copy)
            if plain_facts(self.unchecked, changed) != facts:
                return False
            if facts[0] or not facts[-1]:
                break
            for state in (changed, copy):
                self.unchecked.play(state, facts[-1][-1])
        return True


def picture(data: Any) -> bytes | str:
    """Return everything that an object holds, to see whether it has changed."""
    try:
        return pickle.dumps(data)
    except Exception:  # noqa: BLE001  (an object may refuse in any way)
        return repr(getattr(data, "__dict__", data))


def plain_facts(rules: PythonRules, state: Any) -> tuple[Any, ...]:
    """Return whether a position is over, and its scores or its mover and moves."""
    if rules.over(state):
        return True, tuple(rules.scores(state))
    mover = rules.mover(state)
    outcomes = tuple(rules.chance_outcomes(state)) if mover == CHANCE else ()
    return False, mover, outcomes, tuple(code for code, _ in outcomes) or tuple(rules.legal(state))
