"""Probes call a game's functions and check every answer."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ramify.contract.checking.result import ContractViolation
from ramify.core.search.tree import CHANCE, SIMULTANEOUS

MAX_MOVE_CODE = 2**31 - 1  # the tree stores moves in 32 bits
SUM_TOLERANCE = 1e-9  # allowed error of a sum of probabilities


@dataclass(frozen=True)
class PositionFacts:
    """Everything that the rules say about one position."""

    over: bool
    mover: int | None = None
    moves: tuple[tuple[int, ...], ...] = ()  # of the mover or of chance; per player with simultaneous moves
    probabilities: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()


class GameProbe(ABC):
    """A game as the checks call it; ``data`` is a position. Invalid answers raise ContractViolation."""

    players: int
    author_names: ClassVar[dict[str, str]] = {}  # the author's names of functions, where they differ

    def inspect(self, data: Any) -> PositionFacts:
        """Return the facts about a position."""
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

    def after(self, data: Any, facts: PositionFacts, chosen: Sequence[int]) -> Any:
        """Return the position after a move or a joint move."""
        return self.play_joint(data, chosen) if facts.mover == SIMULTANEOUS else self.play(data, chosen[0])

    @abstractmethod
    def start(self) -> Any:
        """Return a new initial position."""

    @abstractmethod
    def over(self, data: Any) -> bool:
        """Return whether the game has ended."""

    @abstractmethod
    def mover(self, data: Any) -> int:
        """Return the player to move, CHANCE or SIMULTANEOUS."""

    @abstractmethod
    def legal(self, data: Any) -> tuple[int, ...]:
        """Return the mover's moves."""

    @abstractmethod
    def legal_of(self, data: Any, player: int) -> tuple[int, ...]:
        """Return one player's moves."""

    @abstractmethod
    def chance_outcomes(self, data: Any) -> tuple[tuple[int, ...], tuple[float, ...]]:
        """Return chance outcomes and their probabilities."""

    @abstractmethod
    def play(self, data: Any, move: int) -> Any:
        """Return the position after a move."""

    @abstractmethod
    def play_joint(self, data: Any, moves: Sequence[int]) -> Any:
        """Return the position after a joint move."""

    @abstractmethod
    def scores(self, data: Any) -> tuple[float, ...]:
        """Return each player's score."""

    @abstractmethod
    def fingerprint(self, data: Any) -> object:
        """Return a value that is equal for equal positions."""

    @abstractmethod
    def move_text(self, move: int) -> str:
        """Return a move as findings print it."""

    @abstractmethod
    def names(self, data: Any, moves: Sequence[int]) -> Sequence[object]:
        """Return the author's names of the moves, unchecked."""

    @abstractmethod
    def drawing(self, data: Any) -> object:
        """Return the author's drawing of a position, unchecked."""


def check_mover(function: str, mover: int, players: int, *, chance: bool, simultaneous: bool) -> int:
    """Return ``mover``, or raise if it is invalid."""
    if (mover == CHANCE and chance) or (mover == SIMULTANEOUS and simultaneous) or 0 <= mover < players:
        return mover
    if mover == CHANCE:
        raise ContractViolation("mover", f"{function} returned CHANCE (-1), but the game has no chance_outcomes")
    if mover == SIMULTANEOUS:
        raise ContractViolation(
            "mover", f"{function} returned SIMULTANEOUS (-2), but the game has no legal_of and play_joint"
        )
    raise ContractViolation(
        "mover",
        f"{function} returned {mover}; it must return a player, 0 to {players - 1}, CHANCE (-1) or SIMULTANEOUS (-2)",
    )


def check_moves(function: str, moves: Sequence[int]) -> tuple[int, ...]:
    """Raise for duplicate, out-of-range or missing moves."""
    if not moves:
        raise ContractViolation("no-moves", f"{function} lists no moves, but over returned False; one of them is wrong")
    for move in moves:
        if not 0 <= move <= MAX_MOVE_CODE:
            raise ContractViolation(
                "move-code", f"{function} lists the move {move}; moves must be integers from 0 to 2^31 - 1"
            )
    if len(set(moves)) < len(moves):
        twice = next(move for k, move in enumerate(moves) if move in moves[:k])
        raise ContractViolation("duplicate-moves", f"{function} lists the move {twice} twice; list every move once")
    return tuple(moves)


def check_probabilities(probabilities: Sequence[float]) -> tuple[float, ...]:
    """Raise unless the probabilities lie in [0, 1] and sum to 1."""
    for probability in probabilities:
        if not 0.0 <= probability <= 1.0 + SUM_TOLERANCE:
            raise ContractViolation(
                "probabilities", f"chance_outcomes returned the probability {probability}; it must lie in [0, 1]"
            )
    total = math.fsum(probabilities)
    if abs(total - 1.0) > SUM_TOLERANCE:
        raise ContractViolation(
            "probabilities",
            f"the probabilities of chance_outcomes sum to {total:.10g}; they must sum to 1",
        )
    return tuple(probabilities)


def check_scores(scores: Sequence[float], players: int) -> tuple[float, ...]:
    """Raise unless there is one score in [0, 1] per player."""
    if len(scores) != players:
        raise ContractViolation(
            "scores", f"scores returned {len(scores)} numbers; it must return one for each of {players} players"
        )
    for player, score in enumerate(scores):
        if math.isnan(score):
            raise ContractViolation(
                "scores-unwritten",
                f"scores did not write the score of player {player}, or wrote NaN; write out[{player}]",
            )
        if not 0.0 <= score <= 1.0:
            raise ContractViolation(
                "scores", f"scores gives player {player} {score:g}; scores must lie in [0, 1]: loss 0, draw 1/2, win 1"
            )
    return tuple(scores)
