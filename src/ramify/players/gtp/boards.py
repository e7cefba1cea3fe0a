"""The games that are played by GTP, and their points as GTP writes them.

Black is the first player. Vertices are those of Go: ``A1`` is the lower left one, and there is no column I. Hex has the
names of its own programs (Benzene's, which are ours): ``a1`` is the upper left cell, column i exists, and black joins
the top to the bottom.
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
PASSING = "pass"  # the move, as we call it
OWN_LETTERS = {"go": GO_LETTERS, "nogo": GO_LETTERS, "atarigo": GO_LETTERS, "gomoku": LETTERS, "hex": LETTERS}


@dataclass(frozen=True)
class GtpBoard:
    """A game with the names of its points."""

    game: CompiledGame
    kind: str
    size: int

    @classmethod
    def from_game(cls, game: Game) -> GtpBoard:
        """The board of a game; others than those of ``OWN_LETTERS`` have none."""
        kind = parse(game.name).name if isinstance(game, CompiledGame) else game.name
        if kind not in OWN_LETTERS or not isinstance(game, CompiledGame):
            raise RamifyError(f"GTP is for {', '.join(OWN_LETTERS)}, not for {game.name}")
        return cls(game, kind, int(game.rules.side))

    def changed(self, key: str, value: float) -> GtpBoard:
        """The same game with another parameter."""
        given = parse(self.game.name)
        arguments = tuple((name, value if name == key else old) for name, old in given.arguments)
        return GtpBoard.from_game(load(str(Call(given.name, arguments))))

    @property
    def komi(self) -> float:
        """Of Go."""
        return float(self.game.rules.komi)

    @property
    def positional(self) -> bool:
        """Whether Go's ko is positional."""
        return bool(self.game.rules.positional)

    @property
    def letters(self) -> str:
        """Columns as GTP calls them, from the left."""
        return LETTERS if self.kind == "hex" else GO_LETTERS

    def vertex(self, name: str) -> str:
        """A move by its GTP name."""
        if name == PASSING:
            return "PASS"
        return self.letters[OWN_LETTERS[self.kind].index(name[0])].upper() + name[1:]

    def move(self, vertex: str) -> str:
        """A vertex by our name; as it is, where it is none."""
        word = vertex.lower()
        if not word or word == PASSING or word[0] not in self.letters:
            return word
        return OWN_LETTERS[self.kind][self.letters.index(word[0])] + word[1:]

    def stones(self, state: State) -> Iterator[tuple[int, str]]:
        """The player and the vertex of every stone."""
        own = OWN_LETTERS[self.kind]
        for k, row in enumerate(self.rows(state)):
            number = k + 1 if self.kind == "hex" else self.size - k
            for column, mark in enumerate(row):
                if mark != ".":
                    yield "xo".index(mark), self.vertex(f"{own[column]}{number}")

    def rows(self, state: State) -> list[str]:
        """The board in rows from the top, of x, o and dots."""
        if self.kind != "go":
            return state.text().split("/")
        lines = str(state).splitlines()[: self.size]  # its text is the board at first, where ko is positional
        return ["".join(line.split()[1:]) for line in lines]
