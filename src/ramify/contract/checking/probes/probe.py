"""Asking a game about its positions, with every answer examined on the way."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ramify.contract.checking.result import ContractViolation
from ramify.core.search.tree import CHANCE, SIMULTANEOUS

MAX_MOVE_CODE = 2**31 - 1  # the tree keeps moves in 32 bits
SUM_TOLERANCE = 1e-9  # probabilities may miss 1 by this much


@dataclass(frozen=True)
class PositionFacts:
    """Everything the rules say about one position."""

    over: bool
    mover: int | None = None
    moves: tuple[tuple[int, ...], ...] = ()  # of the mover or of chance; of each player, where everybody moves
    probabilities: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()


class GameProbe(ABC):
    """A game as the check asks it; ``data`` is a position. Wrong answers raise ``Flaw``."""

    players: int
    asked: ClassVar[dict[str, str]] = {}  # what the author calls a function, where it is not the contract's name

    def look(self, data: Any) -> PositionFacts:
        """Ask everything about a position."""
        if self.over(data):
            return PositionFacts(over=True, scores=self.scores(data))
        mover = self.mover(data)
        if mover == CHANCE:
            outcomes, probabilities = self.chance_outcomes(data)
            return PositionFacts(over=False, mover=mover, moves=(outcomes,), probabilities=probabilities)
        if mover == SIMULTANEOUS:
            moves = tuple(self.legal_of(data, player) for player in range(self.players))
        else:
            moves = (self.legal(data),)
        return PositionFacts(over=False, mover=mover, moves=moves)

    def after(self, data: Any, look: PositionFacts, chosen: Sequence[int]) -> Any:
        """The position after one move, or after one of each player."""
        return self.play_joint(data, chosen) if look.mover == SIMULTANEOUS else self.play(data, chosen[0])

    @abstractmethod
    def start(self) -> Any:
        """A new initial position."""

    @abstractmethod
    def over(self, data: Any) -> bool:
        """Whether the game has ended."""

    @abstractmethod
    def mover(self, data: Any) -> int:
        """Who moves."""

    @abstractmethod
    def legal(self, data: Any) -> tuple[int, ...]:
        """The mover's moves."""

    @abstractmethod
    def legal_of(self, data: Any, player: int) -> tuple[int, ...]:
        """One player's moves."""

    @abstractmethod
    def chance_outcomes(self, data: Any) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Outcomes and probabilities."""

    @abstractmethod
    def play(self, data: Any, move: int) -> Any:
        """The position after a move."""

    @abstractmethod
    def play_joint(self, data: Any, moves: Sequence[int]) -> Any:
        """The position after everybody's moves."""

    @abstractmethod
    def scores(self, data: Any) -> tuple[float, ...]:
        """The results."""

    @abstractmethod
    def fingerprint(self, data: Any) -> object:
        """Something equal for equal positions."""

    @abstractmethod
    def move_text(self, move: int) -> str:
        """A move as findings show it."""

    @abstractmethod
    def names(self, data: Any, moves: Sequence[int]) -> Sequence[object]:
        """What the author calls the moves; anything may come back."""

    @abstractmethod
    def drawing(self, data: Any) -> object:
        """How the author draws a position; anything may come back."""


def check_mover(function: str, mover: int, players: int, *, chance: bool, at_once: bool) -> int:
    """Refuse a mover who does not exist."""
    if (mover == CHANCE and chance) or (mover == SIMULTANEOUS and at_once) or 0 <= mover < players:
        return mover
    if mover == CHANCE:
        raise ContractViolation("mover", f"{function} says that chance moves (-1), but the game has no chance_outcomes")
    if mover == SIMULTANEOUS:
        raise ContractViolation(
            "mover", f"{function} says that everybody moves at once (-2), but there is no legal_of and play_joint"
        )
    raise ContractViolation(
        "mover", f"{function} says {mover}, but players are 0 to {players - 1}, chance is -1 and everybody is -2"
    )


def check_moves(function: str, moves: Sequence[int]) -> tuple[int, ...]:
    """Refuse moves that cannot be told apart, that do not fit the tree, or that are none."""
    if not moves:
        raise ContractViolation(
            "no-moves", f"{function} gives no move although over says that the game goes on; one of them is wrong"
        )
    for move in moves:
        if not 0 <= move <= MAX_MOVE_CODE:
            raise ContractViolation(
                "move-code", f"{function} gives the move {move}; moves are whole numbers from 0 to 2^31 - 1"
            )
    if len(set(moves)) < len(moves):
        twice = next(move for k, move in enumerate(moves) if move in moves[:k])
        raise ContractViolation(
            "duplicate-moves", f"{function} gives the move {twice} twice; every move must be listed once"
        )
    return tuple(moves)


def check_probabilities(probabilities: Sequence[float]) -> tuple[float, ...]:
    """Refuse probabilities that are none."""
    for probability in probabilities:
        if not 0.0 <= probability <= 1.0 + SUM_TOLERANCE:
            raise ContractViolation(
                "probabilities", f"chance_outcomes gives the probability {probability}; it must lie in [0, 1]"
            )
    total = math.fsum(probabilities)
    if abs(total - 1.0) > SUM_TOLERANCE:
        raise ContractViolation(
            "probabilities",
            f"the probabilities that chance_outcomes gives add up to {total:.10g}; they must add up to 1",
        )
    return tuple(probabilities)


def check_scores(scores: Sequence[float], players: int) -> tuple[float, ...]:
    """Refuse results that are none."""
    if len(scores) != players:
        raise ContractViolation(
            "scores", f"scores gives {len(scores)} numbers; it must give one for each of {players} players"
        )
    for player, score in enumerate(scores):
        if math.isnan(score):
            raise ContractViolation(
                "scores-unwritten",
                f"scores leaves out the score of player {player}, or makes it NaN; write out[{player}]",
            )
        if not 0.0 <= score <= 1.0:
            raise ContractViolation(
                "scores", f"scores gives player {player} {score:g}; a score lies in [0, 1]: loss 0, draw 1/2, win 1"
            )
    return tuple(scores)
