"""Rules as Python objects: what a game that cannot be compiled must be able to do."""

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
    """``core.numbers.rng`` in Python integers: the same numbers from the same state, without compiled code."""

    __slots__ = ("state",)

    def __init__(self, state: int) -> None:
        self.state = state

    def word(self) -> int:
        """The next 64 random bits."""
        self.state = z = (self.state + _GOLDEN) & _WORD
        z = ((z ^ (z >> 30)) * _MIX1) & _WORD
        z = ((z ^ (z >> 27)) * _MIX2) & _WORD
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """A whole number from 0 to n-1."""
        # `word` written out: a third of the time of two calls.
        self.state = z = (self.state + _GOLDEN) & _WORD
        z = ((z ^ (z >> 30)) * _MIX1) & _WORD
        z = ((z ^ (z >> 27)) * _MIX2) & _WORD
        return (((z ^ (z >> 31)) >> 32) * n) >> 32

    def outcome(self, outcomes: Sequence[tuple[Any, float]]) -> Any:
        """One of the outcomes, by its probability."""
        left = (self.word() >> 11) * 2.0**-53
        for outcome, probability in outcomes:
            left -= probability
            if left < 0.0:
                return outcome
        return outcomes[-1][0]


class PythonRules(ABC):
    """How to work on the Python objects of a game; moves are whole numbers here."""

    players: int
    max_children: int  # most moves, or outcomes of chance, that any position has
    move_classes: int | None = None  # moves are below this; None: nobody knows
    has_key = True  # whether ``key`` tells positions apart
    simultaneous = False  # whether there are positions where everybody moves at once
    has_chance = True  # whether chance may move, or acts inside of moves
    constant_sum = True  # whether the scores of two players are known to add up to 1

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        adopt_old_members(cls, **{old: new for new, old in PYTHON_RULES.items()})

    @abstractmethod
    def start(self) -> Any:
        """A new initial state."""

    @abstractmethod
    def clone(self, state: Any) -> Any:
        """An independent copy."""

    @abstractmethod
    def over(self, state: Any) -> bool:
        """Whether the game has ended."""

    @abstractmethod
    def mover(self, state: Any) -> int:
        """The player to move, CHANCE or SIMULTANEOUS, in a state that is not over."""

    @abstractmethod
    def legal(self, state: Any) -> list[int]:
        """Legal moves of a state that is not over, of the player to move."""

    @abstractmethod
    def chance_outcomes(self, state: Any) -> list[tuple[int, float]]:
        """Outcomes and probabilities where chance moves."""

    @abstractmethod
    def play(self, state: Any, code: int) -> None:
        """Change the state by a move."""

    def legal_of(self, state: Any, player: int) -> list[int]:
        """Legal moves of one player, where everybody moves at once."""
        del state
        raise RamifyError(f"players of this game take turns, so player {player} has no moves of their own here")

    def play_joint(self, state: Any, codes: Sequence[int]) -> None:
        """Change the state by everybody's moves."""
        del state
        raise RamifyError(f"players of this game take turns, so {len(codes)} moves cannot be made at once")

    @abstractmethod
    def scores(self, state: Any) -> Sequence[float]:
        """Results in [0, 1], one a player."""

    @abstractmethod
    def name(self, state: Any, code: int) -> str:
        """What a move is called."""

    @abstractmethod
    def draw(self, state: Any) -> str:
        """A drawing."""

    def key(self, state: Any) -> object:
        """A hashable value, equal for equal positions."""
        return self.draw(state)

    def playout(self, state: Any, random: PythonGenerator, limit: int) -> int:
        """Play at random to the end; the number of plies, or -1 - plies when the limit cut it."""
        plies = 0
        while not self.over(state):
            if plies == limit:
                return -1 - plies
            self.random_ply(state, random)
            plies += 1
        return plies

    def traced_playout(self, state: Any, random: PythonGenerator, limit: int) -> tuple[int, list[tuple[int, int]]]:
        """The same, and the moves made: player and code of each."""
        plies = 0
        made: list[tuple[int, int]] = []
        while not self.over(state):
            if plies == limit:
                return -1 - plies, made
            made += self.random_ply(state, random)
            plies += 1
        return plies, made

    def random_ply(self, state: Any, random: PythonGenerator) -> list[tuple[int, int]]:
        """Make a random move of whoever moves; players and codes, none of chance."""
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
        """A number for each of a state's moves, to tell apart those of the same name."""
        return codes

    def move_names(self, state: Any, codes: Sequence[int]) -> list[str]:
        """Names of all moves of a state, each one word that no other move of the state has.

        Blanks become underscores; moves of the same name, and of none, get ``#`` and their mark.
        """
        words = ["_".join(self.name(state, code).split()) for code in codes]
        count = Counter(words)
        return [
            word if word and count[word] == 1 else f"{word}#{mark}"
            for word, mark in zip(words, self.disambiguators(codes), strict=True)
        ]


class CodedRules(PythonRules):
    """Rules whose moves are Python values, which get numbers as they are met."""

    def __init__(self) -> None:
        self.codes: dict[Hashable, int] = {}
        self.values: list[Any] = []  # a move stands here before its code is known to any thread
        self.lock = threading.Lock()

    def code(self, move: Hashable) -> int:
        """The number of a move: the same move has the same number in every state."""
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
        """Places in the list of moves: codes depend on what was searched before."""
        return range(len(codes))
