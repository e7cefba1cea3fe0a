"""Little games for rehearsals: written in Python, so that nothing is compiled for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ramify.contract.python_game import PythonGame
from ramify.contract.python_rules import PythonRules
from ramify.core.search.tree import CHANCE

RESULTS = (0.0, 1.0, 0.5, 1.0, 0.0, 0.25)


@dataclass
class ToyGame(PythonRules):
    """``depth`` moves, and then a result that depends on all of them.

    At the start there are ``width`` moves, further down fewer, sometimes a single one. The second move is chance's if
    ``chance`` says so.
    """

    width: int = 5
    depth: int = 4
    players: int = 2
    chance: bool = False

    def __post_init__(self) -> None:
        self.max_children = self.move_classes = max(self.width, 2)

    def start(self) -> Any:
        """No moves yet."""
        return []

    def clone(self, state: Any) -> Any:
        """The same moves."""
        return list(state)

    def over(self, state: Any) -> bool:
        """After so many moves."""
        return len(state) == self.depth

    def mover(self, state: Any) -> int:
        """In turn, but for chance."""
        return CHANCE if self.chance and len(state) == 1 else len(state) % self.players

    def legal(self, state: Any) -> list[int]:
        """All at the start, then one or more."""
        return list(range(1 + _mixed(state) % self.width if state else self.width))

    def chance_outcomes(self, state: Any) -> list[tuple[int, float]]:
        """Two outcomes, whatever came before."""
        del state
        return [(0, 0.25), (1, 0.75)]

    def play(self, state: Any, code: int) -> None:
        """Write it down."""
        state.append(code)

    def scores(self, state: Any) -> list[float]:
        """The first player's, and for the others what that leaves."""
        first = RESULTS[_mixed(state) % len(RESULTS)]
        return [first, *[1.0 - first] * (self.players - 1)]

    def name(self, state: Any, code: int) -> str:
        """Its number."""
        del state
        return str(code)

    def draw(self, state: Any) -> str:
        """The moves so far."""
        return " ".join(map(str, state))

    def game(self) -> PythonGame:
        """As a search takes it."""
        return PythonGame("toy", self)


def _mixed(moves: list[int]) -> int:
    """A number that depends on all the moves, and does not look so."""
    number = 7
    for move in moves:
        number = (number * 31 + move + 1) % 1009
    return number
