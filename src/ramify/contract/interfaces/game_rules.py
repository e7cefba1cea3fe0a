"""The rules of a game: what it declares about itself, and how its positions follow from each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from ramify.errors import RamifyError

DEFAULT_MOVE_CLASSES = 1 << 16  # of moves, in games that do not say how many they have
MAX_LINE_LENGTH = 160  # of a position in a sentence


class GameRules(ABC):
    """The rules of one game with its parameters; ``data`` stands for a position and never changes."""

    name: str  # as `load` reads it, with every parameter
    players: int
    max_children: int  # most moves, or outcomes of chance, that any position has

    # What the game declares.

    def has(self, part: str) -> bool:
        """Whether the game has an optional part of the contract (``contract.parts``)."""
        del part
        return False

    @property
    def has_chance(self) -> bool:
        """Whether chance may move."""
        return self.has("chance_outcomes")

    @property
    def constant_sum(self) -> bool:
        """Whether the scores of two players are known to add up to 1."""
        return True

    def move_classes(self) -> int:
        """Move classes are whole numbers below this."""
        return DEFAULT_MOVE_CLASSES

    def margins(self) -> tuple[float, float]:
        """The lowest and the highest margin."""
        raise RamifyError(f"{self.name} does not say how large margins are, which score_bonus needs; use reward=score")

    # How it is played.

    @abstractmethod
    def start(self) -> Any:
        """The data of the initial position."""

    @abstractmethod
    def mover(self, data: Any) -> int:
        """The player to move, CHANCE or SIMULTANEOUS."""

    @abstractmethod
    def legal(self, data: Any) -> list[int]:
        """Codes of the legal moves of the player to move; none when the game is over."""

    @abstractmethod
    def legal_of(self, data: Any, player: int) -> list[int]:
        """Codes of the legal moves of one player where everybody moves at once."""

    @abstractmethod
    def chance_outcomes(self, data: Any) -> list[tuple[int, float]]:
        """Outcomes and their probabilities where chance moves."""

    @abstractmethod
    def play(self, data: Any, code: int) -> Any:
        """The data after a move or an outcome; ``data`` itself stays as it is."""

    @abstractmethod
    def play_joint(self, data: Any, codes: Sequence[int]) -> Any:
        """The data after everybody's moves."""

    @abstractmethod
    def over(self, data: Any) -> bool:
        """Whether the game has ended."""

    @abstractmethod
    def scores(self, data: Any) -> list[float]:
        """The result of each player, in [0, 1]."""

    def scripted(self, data: Any, player: int, seed: int) -> int:
        """The move of the game's ``script`` for a player."""
        del data, player, seed
        raise RamifyError(f"{self.name} has no script, which the player scripted needs; use an agent such as uct")

    def swapped(self, data: Any, seat: int) -> bool | None:
        """Whether a seat plays on with another's colour, by a pie rule; None where the game cannot tell."""
        del data, seat
        return None

    # How positions and moves are written.

    @abstractmethod
    def key(self, data: Any) -> object:
        """A hashable value, equal for equal positions."""

    @abstractmethod
    def draw(self, data: Any) -> str:
        """A drawing for the terminal."""

    @abstractmethod
    def move_name(self, data: Any, code: int) -> str:
        """The name of a move."""

    def write(self, data: Any) -> str | None:
        """The position as text, or None where the game has no such form (the moves so far are then the text)."""
        del data
        return None

    def read(self, text: str) -> Any:
        """The data of the position that ``write`` gave; None where the game has no such form."""
        del text
        return None

    def one_line(self, data: Any) -> str:
        """A position on one line of ordinary length, for sentences."""
        line = " / ".join((self.write(data) or self.draw(data)).splitlines())
        return line if len(line) <= MAX_LINE_LENGTH else line[: MAX_LINE_LENGTH - 4] + " ..."
