"""The rules of a game that is a user's Python class."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import cache
from operator import index
from typing import Any

from ramify.contract.python_rules import CodedRules, PythonGenerator
from ramify.core.search.tree import CHANCE
from ramify.errors import RamifyError
from ramify.old_names import GAME_METHODS, adopt_old_members


@cache
def adopt_old_methods(kind: type) -> dict[str, str]:
    """Let a user's class name its methods by their old names. Return the new name of each old one that it uses."""
    new_names = {old: new for new, old in GAME_METHODS.items()}
    used: dict[str, str] = {}
    for one in kind.__mro__:
        used |= {old: new for old, new in new_names.items() if old in vars(one) and new not in vars(one)}
        adopt_old_members(one, **new_names)
    return used


class ClassRules(CodedRules):
    """Rules that call the methods of a user's class.

    Required: ``to_move()``, ``moves()`` (hashable values in a reproducible order), ``play(move)`` (changes the object),
    ``over()`` and ``scores()`` (one number in [0, 1] per player). Optional: ``players`` (default: 2), ``max_moves``
    (default: 1024), ``clone()`` (default: a deep copy), ``chance_outcomes()`` (pairs of outcome and probability, where
    ``to_move()`` is -1), ``move_name(move)`` and ``__str__``.
    """

    NEEDED = ("to_move", "moves", "play", "over", "scores")

    def __init__(self, make: Callable[[], Any], title: str) -> None:
        super().__init__()
        self.make = make
        self.title = title
        first = make()
        kind: type = type(first)
        adopt_old_methods(kind)
        missing = [name for name in self.NEEDED if not callable(getattr(first, name, None))]
        if missing:
            raise RamifyError(f"class {title} has no method {missing[0]}(): it needs {', '.join(self.NEEDED)}")
        self.players = self._positive_integer(first, "players", 2)
        self.max_children = self._positive_integer(first, "max_moves", 1024)
        has_text = any("__str__" in vars(one) or "__repr__" in vars(one) for one in type(first).__mro__[:-1])
        self.has_key = has_text  # attributes alone may not tell positions apart
        self.has_clone, self.has_chance = hasattr(first, "clone"), hasattr(first, "chance_outcomes")

    def _positive_integer(self, first: Any, name: str, default: int) -> int:
        value = getattr(first, name, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise RamifyError(f"'{name}' of class {self.title} must be a whole number from 1, not {value!r}")
        return value

    def _not_empty(self, answer: Any, method: str) -> Sequence[Any]:
        found: Sequence[Any] = answer if isinstance(answer, list | tuple) else list(answer)
        if not found:
            raise RamifyError(f"{method}() of class {self.title} returned nothing in a position that is not over")
        return found

    def for_search(self) -> ClassRules:
        """Return the same rules, which notice questions that change the object."""
        from ramify.contract.checked_class_rules import SampledClassRules  # noqa: PLC0415  (it is a subclass)

        return SampledClassRules(self)

    def start(self) -> Any:
        return self.make()

    def clone(self, state: Any) -> Any:
        return state.clone() if self.has_clone else copy.deepcopy(state)

    def over(self, state: Any) -> bool:
        over = state.over()
        if over is True or over is False:
            return over
        if not hasattr(over, "__index__") and type(over).__name__ not in ("bool", "bool_"):  # bool_: NumPy's
            raise RamifyError(f"over() of class {self.title} must return True or False, not {over!r}")
        return bool(over)

    def mover(self, state: Any) -> int:
        player = state.to_move()
        try:
            return index(player)
        except TypeError:
            raise RamifyError(f"to_move() of class {self.title} must return a whole number, not {player!r}") from None

    def legal(self, state: Any) -> list[int]:
        return [self.code(move) for move in state.moves()]

    def chance_outcomes(self, state: Any) -> list[tuple[int, float]]:
        outcomes = [(self.code(move), float(probability)) for move, probability in state.chance_outcomes()]
        total = sum(probability for _, probability in outcomes)
        if outcomes and not abs(total - 1.0) < 1e-6:
            raise RamifyError(
                f"the probabilities of chance_outcomes() in class {self.title} sum to {total:g}, not to 1"
            )
        return outcomes

    def play(self, state: Any, code: int) -> None:
        state.play(self.values[code])

    def scores(self, state: Any) -> Sequence[float]:
        scores = [float(score) for score in state.scores()]
        if len(scores) != self.players or not all(0.0 <= score <= 1.0 for score in scores):  # also if it is nan
            raise RamifyError(
                f"scores() of class {self.title} must return {self.players} numbers in [0, 1], not {scores}"
            )
        return scores

    def name(self, state: Any, code: int) -> str:
        move = self.values[code]
        return str(state.move_name(move) if hasattr(state, "move_name") else move)

    def draw(self, state: Any) -> str:
        return str(state) if self.has_key else self._attributes(state)

    def _attributes(self, state: Any) -> str:
        """Return the text of a class without its own: Python's would be the address of the object."""
        return (
            f"{self.title}({', '.join(f'{name}={value!r}' for name, value in getattr(state, '__dict__', {}).items())})"
        )

    def playout(self, state: Any, random: PythonGenerator, limit: int) -> int:
        """As in ``PythonRules``, but on the user's moves themselves: no codes are looked up."""
        over, to_move, moves, play, below = state.over, state.to_move, state.moves, state.play, random.below
        plies = 0
        while not over():
            if plies == limit:
                return -1 - plies
            if self.has_chance and to_move() == CHANCE:
                play(random.outcome(self._not_empty(state.chance_outcomes(), "chance_outcomes")))
            else:
                choice = self._not_empty(moves(), "moves")
                play(choice[below(len(choice))])
            plies += 1
        return plies
