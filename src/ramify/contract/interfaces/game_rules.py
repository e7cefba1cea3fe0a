"""The rules of a game: what it declares, how it is played, how positions and moves are written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from ramify.errors import RamifyError

DEFAULT_MOVE_CLASSES = 1 << 16  # for games without MOVE_CLASSES
MAX_LINE_LENGTH = 160  # characters of a position in an error message


class GameRules(ABC):
    """The rules of one game with its parameters. ``data`` is a position and is never modified."""

    name: str  # as `load` reads it, with all parameters
    players: int
    max_children: int  # maximum number of moves or chance outcomes of a position

    # What the game declares.

    def has(self, part: str) -> bool:
        """Whether the game has an optional part of the contract (``contract.parts``)."""
        del part
        return False

    @property
    def has_chance(self) -> bool:
        return self.has("chance_outcomes")

    @property
    def constant_sum(self) -> bool:
        """Whether the scores of two players always sum to 1."""
        return True

    def move_classes(self) -> int:
        """Return the number of move classes; a class is an integer below it."""
        return DEFAULT_MOVE_CLASSES

    def margins(self) -> tuple[float, float]:
        """Return the lowest and the highest margin."""
        raise RamifyError(f"{self.name} has no MARGINS, which score_bonus needs: use reward=score")

    # How it is played.

    @abstractmethod
    def start(self) -> Any:
        """Return the initial position."""

    @abstractmethod
    def mover(self, data: Any) -> int:
        """Return the player to move, CHANCE or SIMULTANEOUS."""

    @abstractmethod
    def legal(self, data: Any) -> list[int]:
        """Return the codes of the mover's legal moves; empty if the game is over."""

    @abstractmethod
    def legal_of(self, data: Any, player: int) -> list[int]:
        """Return the codes of one player's legal moves in a position with simultaneous moves."""

    @abstractmethod
    def chance_outcomes(self, data: Any) -> list[tuple[int, float]]:
        """Return chance outcomes with their probabilities."""

    @abstractmethod
    def play(self, data: Any, code: int) -> Any:
        """Return the position after a move or a chance outcome. ``data`` is not modified."""

    @abstractmethod
    def play_joint(self, data: Any, codes: Sequence[int]) -> Any:
        """Return the position after a joint move, one code per player."""

    @abstractmethod
    def over(self, data: Any) -> bool:
        """Return whether the game has ended."""

    @abstractmethod
    def scores(self, data: Any) -> list[float]:
        """Return each player's score in [0, 1]."""

    def scripted(self, data: Any, player: int, seed: int) -> int:
        """Return the move that the game's ``script`` plays for a player."""
        del data, player, seed
        raise RamifyError(f"{self.name} has no script(), which the player scripted needs: use an agent such as uct")

    def swapped(self, data: Any, seat: int) -> bool | None:
        """Return whether a pie rule has swapped a seat's colour, or None if the game cannot say."""
        del data, seat
        return None

    # How positions and moves are written.

    @abstractmethod
    def key(self, data: Any) -> object:
        """Return a hashable value that is equal for equal positions."""

    @abstractmethod
    def draw(self, data: Any) -> str:
        """Return a drawing for the terminal."""

    @abstractmethod
    def move_name(self, data: Any, code: int) -> str:
        """Return the name of a legal move."""

    def write(self, data: Any) -> str | None:
        """Return the position as text, or None if the game cannot; its text is then the moves so far."""
        del data
        return None

    def read(self, text: str) -> Any:
        """Parse a text of ``write``, or None if the game has no such texts."""
        del text
        return None

    def one_line(self, data: Any) -> str:
        """Return a position on one line, at most MAX_LINE_LENGTH characters, for error messages."""
        line = " / ".join((self.write(data) or self.draw(data)).splitlines())
        return line if len(line) <= MAX_LINE_LENGTH else line[: MAX_LINE_LENGTH - 4] + " ..."
