"""Base classes for the rules of games that are not compiled."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.old_names import PYTHON_RULES, adopt_old_members

_WORD = (1 << 64) - 1
_GOLDEN, _MIX1, _MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


class PythonGenerator:
    """``core.numbers.rng`` in pure Python: the same numbers from the same state."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    def word(self) -> int:
        """Return the next 64 random bits."""
        self.state = z = (self.state + _GOLDEN) & _WORD
        z = ((z ^ (z >> 30)) * _MIX1) & _WORD
        z = ((z ^ (z >> 27)) * _MIX2) & _WORD
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """Return a random integer from 0 to n - 1."""
        # `word` inlined: two calls would take three times as long.
        self.state = z = (self.state + _GOLDEN) & _WORD
        z = ((z ^ (z >> 30)) * _MIX1) & _WORD
        z = ((z ^ (z >> 27)) * _MIX2) & _WORD
        return (((z ^ (z >> 31)) >> 32) * n) >> 32

    def outcome(self, outcomes: Sequence[tuple[Any, float]]) -> Any:
        """Draw an outcome by its probability."""
        rest = (self.word() >> 11) * 2.0**-53
        for outcome, probability in outcomes:
            rest -= probability
            if rest < 0.0:
                return outcome
        return outcomes[-1][0]


class PythonRules(ABC):
    """Rules over a game's Python objects. Moves are integers."""

    players: int
    max_children: int  # maximum number of moves or chance outcomes of a position
    move_classes: int | None = None  # moves are below this; None: unknown
    has_key = True  # whether ``key`` distinguishes positions
    simultaneous = False  # whether some positions have simultaneous moves
    has_chance = True  # whether chance may move, or acts within moves
    constant_sum = True  # whether the scores of two players always sum to 1

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        adopt_old_members(cls, **{old: new for new, old in PYTHON_RULES.items()})

    def for_search(self) -> PythonRules:
        """Return the rules for one search."""
        return self

    @abstractmethod
    def start(self) -> Any:
        """Return a new initial state."""

    @abstractmethod
    def clone(self, state: Any) -> Any:
        """Return an independent copy."""

    @abstractmethod
    def over(self, state: Any) -> bool:
        """Return whether the game has ended."""

    @abstractmethod
    def mover(self, state: Any) -> int:
        """Return the player to move, CHANCE or SIMULTANEOUS, in a state that is not over."""

    @abstractmethod
    def legal(self, state: Any) -> list[int]:
        """Return the mover's legal moves in a state that is not over."""

    @abstractmethod
    def chance_outcomes(self, state: Any) -> list[tuple[int, float]]:
        """Return chance outcomes with their probabilities."""

    @abstractmethod
    def play(self, state: Any, code: int) -> None:
        """Play a move or a chance outcome in place."""

    def legal_of(self, state: Any, player: int) -> list[int]:
        """Return one player's legal moves, with simultaneous moves."""
        del state
        raise RamifyError(f"players of this game take turns: there is no move list of player {player}")

    def play_joint(self, state: Any, codes: Sequence[int]) -> None:
        """Play a joint move in place."""
        del state
        raise RamifyError(f"players of this game take turns: {len(codes)} moves cannot be played at once")

    @abstractmethod
    def scores(self, state: Any) -> Sequence[float]:
        """Return each player's score in [0, 1]."""

    @abstractmethod
    def name(self, state: Any, code: int) -> str:
        """Return the name of a move; it need not be unique."""

    @abstractmethod
    def draw(self, state: Any) -> str:
        """Return a drawing for the terminal."""

    def key(self, state: Any) -> object:
        """Return a hashable value that is equal for equal positions."""
        return self.draw(state)

    def playout(self, state: Any, random: PythonGenerator, limit: int) -> int:
        """Play uniformly to the end. Return the number of plies, or -1 - plies if the limit cut the playout."""
        plies = 0
        while not self.over(state):
            if plies == limit:
                return -1 - plies
            self.random_ply(state, random)
            plies += 1
        return plies

    def traced_playout(self, state: Any, random: PythonGenerator, limit: int) -> tuple[int, list[tuple[int, int]]]:
        """Play uniformly to the end. Return the plies, as ``playout`` does, and the (player, code) of each move."""
        plies = 0
        made: list[tuple[int, int]] = []
        while not self.over(state):
            if plies == limit:
                return -1 - plies, made
            made += self.random_ply(state, random)
            plies += 1
        return plies, made

    def random_ply(self, state: Any, random: PythonGenerator) -> list[tuple[int, int]]:
        """Play one random ply. Return the (player, code) of each move; empty for chance."""
        mover = self.mover(state)
        if mover == CHANCE:
            self.play(state, random.outcome(self.chance_outcomes(state)))
            return []
        if mover == SIMULTANEOUS:
            choices = [self.legal_of(state, player) for player in range(self.players)]
            joint = [codes[random.below(len(codes))] for codes in choices]
            self.play_joint(state, joint)
            return list(enumerate(joint))
        codes = self.legal(state)
        code = codes[random.below(len(codes))]
        self.play(state, code)
        return [(mover, code)]

    def disambiguators(self, codes: Sequence[int]) -> Sequence[int]:
        """Return one number per move of a state, which distinguishes moves of the same name."""
        return codes

    def move_names(self, state: Any, codes: Sequence[int]) -> list[str]:
        """Return the names of all moves of a state, each unique and without spaces.

        Spaces become underscores. Duplicate and empty names get ``#`` and their disambiguator.
        """
        words = ["_".join(self.name(state, code).split()) for code in codes]
        count = Counter(words)
        return [
            word if word and count[word] == 1 else f"{word}#{number}"
            for word, number in zip(words, self.disambiguators(codes), strict=True)
        ]


class CodedRules(PythonRules):
    """Rules whose moves are Python values, numbered in the order in which they are met."""

    def __init__(self) -> None:
        self.codes: dict[Hashable, int] = {}
        self.values: list[Any] = []  # written before ``codes``: other threads read it without the lock
        self.lock = threading.Lock()

    def code(self, move: Hashable) -> int:
        """Return a move's number, the same in every state."""
        code = self.codes.get(move)
        if code is None:
            with self.lock:
                code = self.codes.get(move)
                if code is None:
                    code = len(self.values)
                    self.values.append(move)
                    self.codes[move] = code
        return code

    def disambiguators(self, codes: Sequence[int]) -> Sequence[int]:
        """Return positions in the list of moves: codes depend on earlier searches."""
        return range(len(codes))
