"""Python games with features that no built-in game has: three players, varying legal moves, one long line."""

from __future__ import annotations

from collections.abc import Callable

from ramify.core.search.tree import CHANCE


class ThreeHeaps:
    """Nim with three heaps and three players. Taking the last stone scores 1; the next player gets 1/2."""

    players = 3
    max_moves = 9

    def __init__(self) -> None:
        self.heaps = [2, 3, 3]
        self.turn = 0

    def __str__(self) -> str:
        return f"{self.heaps} {self.turn}"

    def to_move(self) -> int:
        return self.turn

    def moves(self) -> list[tuple[int, int]]:
        """Return (heap, stones) pairs."""
        return [(heap, take) for heap in range(3) for take in range(1, self.heaps[heap] + 1)]

    def play(self, move: tuple[int, int]) -> None:
        self.heaps[move[0]] -= move[1]
        self.turn = (self.turn + 1) % 3

    def over(self) -> bool:
        return not any(self.heaps)

    def scores(self) -> list[float]:
        return [(0.5, 0.0, 1.0)[(player - self.turn) % 3] for player in range(3)]

    def clone(self) -> ThreeHeaps:
        other = ThreeHeaps()
        other.heaps, other.turn = list(self.heaps), self.turn
        return other


class Storm:
    """Two boats sail for 10 moves. After each move chance decides who moves next, and which moves are legal.

    So an open-loop node has moves of both players, and finds new ones late.
    """

    players = 2
    max_moves = 10
    plies = 10

    def __init__(self) -> None:
        self.at = [0, 0]
        self.turn = 0
        self.wind = 1
        self.blows = False
        self.ply = 0

    def to_move(self) -> int:
        return CHANCE if self.blows else self.turn

    def moves(self) -> list[int]:
        """Return distances; their order depends on the wind."""
        return [(k * 5 + self.wind) % 7 for k in range(1 + self.wind)]

    def chance_outcomes(self) -> list[tuple[str, float]]:
        """Return wind and next mover as two digits, with their probability."""
        return [(f"{wind}{turn}", (wind + turn) / 35) for wind in range(1, 6) for turn in range(2)]

    def play(self, move: int | str) -> None:
        if isinstance(move, str):
            self.wind, self.turn, self.blows = int(move[0]), int(move[1]), False
            return
        self.at[self.turn] += move
        self.ply += 1
        self.blows = self.ply < self.plies

    def over(self) -> bool:
        return self.ply >= self.plies

    def scores(self) -> list[float]:
        """The boat ahead wins."""
        lead = self.at[0] - self.at[1]
        score = 0.5 if lead == 0 else float(lead > 0)
        return [score, 1.0 - score]

    def clone(self) -> Storm:
        other = Storm()
        other.at, other.turn, other.wind = list(self.at), self.turn, self.wind
        other.blows, other.ply = self.blows, self.ply
        return other


class Corridor:
    """A single legal move for 60 plies, then a choice of three: takes SHOT deep."""

    players = 2
    max_moves = 3
    length = 60

    def __init__(self) -> None:
        self.at = 0
        self.chosen = -1

    def to_move(self) -> int:
        return self.at % 2

    def moves(self) -> list[int]:
        return [0] if self.at < self.length else [0, 1, 2]

    def play(self, move: int) -> None:
        if self.at == self.length:
            self.chosen = move
        self.at += 1

    def over(self) -> bool:
        return self.chosen >= 0

    def scores(self) -> list[float]:
        """The first player scores half the chosen number."""
        return [self.chosen / 2, 1.0 - self.chosen / 2]

    def clone(self) -> Corridor:
        other = Corridor()
        other.at, other.chosen = self.at, self.chosen
        return other


TOYS: dict[str, Callable[[], object]] = {"three_heaps": ThreeHeaps, "storm": Storm, "corridor": Corridor}
