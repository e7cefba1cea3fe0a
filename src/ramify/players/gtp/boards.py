"""Games that can be played over GTP, and conversion between move names and GTP vertices.

Black is the first player. Vertices are those of Go: ``A1`` is the lower left corner, and there is no column I. Hex uses
the names of Hex programs such as Benzene, which are also Ramify's: ``a1`` is the upper left cell, there is a column i,
and black connects top and bottom.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ramify.contract.compiled_game import CompiledGame
from ramify.contract.game import Game, State
from ramify.contract.load import load
from ramify.errors import RamifyError
from ramify.games.boards.grids import GO_LETTERS, LETTERS
from ramify.grammar import Call, parse

COLOURS = ("black", "white")  # by player
PASSING = "pass"  # Ramify's name of the move
COLUMN_LETTERS = {"go": GO_LETTERS, "nogo": GO_LETTERS, "atarigo": GO_LETTERS, "gomoku": LETTERS, "hex": LETTERS}


@dataclass(frozen=True)
class GtpBoard:
    """A game that can be played over GTP."""

    game: CompiledGame
    kind: str
    size: int

    @classmethod
    def from_game(cls, game: Game) -> GtpBoard:
        """Return the board of a game. Raise if it is not in ``COLUMN_LETTERS``."""
        kind = parse(game.name).name if isinstance(game, CompiledGame) else game.name
        if kind not in COLUMN_LETTERS or not isinstance(game, CompiledGame):
            raise RamifyError(f"GTP does not support {game.name}: use one of {', '.join(COLUMN_LETTERS)}")
        return cls(game, kind, int(game.rules.side))

    def with_parameter(self, key: str, value: float) -> GtpBoard:
        """Return the board of the same game with one parameter changed."""
        given = parse(self.game.name)
        arguments = tuple((name, value if name == key else old) for name, old in given.arguments)
        return GtpBoard.from_game(load(str(Call(given.name, arguments))))

    @property
    def komi(self) -> float:
        """Komi (Go only)."""
        return float(self.game.rules.komi)

    @property
    def positional(self) -> bool:
        """Whether the rules have positional superko (Go only)."""
        return bool(self.game.rules.positional)

    @property
    def letters(self) -> str:
        """Column letters in GTP, from the left."""
        return LETTERS if self.kind == "hex" else GO_LETTERS

    def vertex(self, name: str) -> str:
        """Return the GTP vertex of a move."""
        if name == PASSING:
            return "PASS"
        return self.letters[COLUMN_LETTERS[self.kind].index(name[0])].upper() + name[1:]

    def move(self, vertex: str) -> str:
        """Return the move name of a vertex; anything else is returned in lower case."""
        word = vertex.lower()
        if not word or word == PASSING or word[0] not in self.letters:
            return word
        return COLUMN_LETTERS[self.kind][self.letters.index(word[0])] + word[1:]

    def stones(self, state: State) -> Iterator[tuple[int, str]]:
        """Yield the player and the vertex of every stone."""
        letters = COLUMN_LETTERS[self.kind]
        for k, row in enumerate(self.rows(state)):
            number = k + 1 if self.kind == "hex" else self.size - k
            for column, mark in enumerate(row):
                if mark != ".":
                    yield "xo".index(mark), self.vertex(f"{letters[column]}{number}")

    def rows(self, state: State) -> list[str]:
        """Return the rows of the board from the top, as strings of x, o and dots."""
        if self.kind != "go":
            return state.text().split("/")
        lines = str(state).splitlines()[: self.size]  # text() has the first board if ko is positional
        return ["".join(line.split()[1:]) for line in lines]
