"""Toy games for dry runs. They are written in Python, so nothing is compiled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ramify.contract.python_game import PythonGame
from ramify.contract.python_rules import PythonRules
from ramify.core.search.tree import CHANCE

RESULTS = (0.0, 1.0, 0.5, 1.0, 0.0, 0.25)


@dataclass
class ToyGame(PythonRules):
    """A game of ``depth`` moves whose result depends on all of them.

    There are ``width`` moves at the root and 1 to ``width`` below it. With ``chance``, the second move is a chance
    node.
    """

    width: int = 5
    depth: int = 4
    players: int = 2
    chance: bool = False

    def __post_init__(self) -> None:
        self.max_children = self.move_classes = max(self.width, 2)

    def start(self) -> Any:
        return []

    def clone(self, state: Any) -> Any:
        return list(state)

    def over(self, state: Any) -> bool:
        return len(state) == self.depth

    def mover(self, state: Any) -> int:
        return CHANCE if self.chance and len(state) == 1 else len(state) % self.players

    def legal(self, state: Any) -> list[int]:
        return list(range(1 + _hash(state) % self.width if state else self.width))

    def chance_outcomes(self, state: Any) -> list[tuple[int, float]]:
        """Two outcomes in every state."""
        del state
        return [(0, 0.25), (1, 0.75)]

    def play(self, state: Any, code: int) -> None:
        state.append(code)

    def scores(self, state: Any) -> list[float]:
        """Each player but the first scores 1 minus the first player's score."""
        first = RESULTS[_hash(state) % len(RESULTS)]
        return [first, *[1.0 - first] * (self.players - 1)]

    def name(self, state: Any, code: int) -> str:
        del state
        return str(code)

    def draw(self, state: Any) -> str:
        return " ".join(map(str, state))

    def game(self) -> PythonGame:
        return PythonGame("toy", self)


def _hash(moves: list[int]) -> int:
    """Return a pseudo-random number that depends on all moves."""
    number = 7
    for move in moves:
        number = (number * 31 + move + 1) % 1009
    return number
