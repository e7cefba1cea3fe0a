"""Games that cannot be compiled, searched by the same engine: Python functions behind the same kernel table.

A state on the engine's side is only an address; the Python object that belongs to it is looked up by that address. One
call into Python for each move in the tree, one for a whole playout.
"""

from __future__ import annotations

import copy
import ctypes
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import Any

from ramify.core.compiling import Kernel, python_kernel
from ramify.core.search import GameTable
from ramify.core.tree import CHANCE
from ramify.errors import RamifyError
from ramify.games.game import Game
from ramify.grammar import Call, bind

_WORD = (1 << 64) - 1


class Rules(ABC):
    """How to work on the Python objects of a game; moves are whole numbers here."""

    players: int
    max_children: int

    @abstractmethod
    def start(self) -> Any:
        """A new initial state."""

    @abstractmethod
    def clone(self, state: Any) -> Any:
        """An independent copy."""

    @abstractmethod
    def mover(self, state: Any) -> int:
        """The player to move, or CHANCE."""

    @abstractmethod
    def legal(self, state: Any) -> list[int]:
        """Legal moves of a state that is not over."""

    @abstractmethod
    def chances(self, state: Any) -> list[tuple[int, float]]:
        """Outcomes and probabilities where chance moves."""

    @abstractmethod
    def play(self, state: Any, code: int) -> None:
        """Change the state by a move."""

    @abstractmethod
    def over(self, state: Any) -> bool:
        """Whether the game has ended."""

    @abstractmethod
    def scores(self, state: Any) -> Sequence[float]:
        """Results in [0, 1]."""

    @abstractmethod
    def name(self, state: Any, code: int) -> str:
        """The name of a move."""

    @abstractmethod
    def draw(self, state: Any) -> str:
        """A drawing."""

    def key(self, state: Any) -> object:
        """A hashable value, equal for equal positions."""
        return str(self.draw(state))

    def playout(self, state: Any, random: PythonGenerator, limit: int) -> int:
        """Play at random to the end; the number of plies, or -1 - plies when the limit cut it."""
        plies = 0
        while not self.over(state):
            if plies == limit:
                return -1 - plies
            if self.mover(state) == CHANCE:
                self.play(state, random.outcome(self.chances(state)))
            else:
                codes = self.legal(state)
                self.play(state, codes[random.below(len(codes))])
            plies += 1
        return plies


class PythonGenerator:
    """``core.rng`` in Python integers: the same numbers from the same state, without a call into compiled code."""

    def __init__(self, state: int) -> None:
        self.state = state

    def word(self) -> int:
        """The next 64 random bits."""
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & _WORD
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _WORD
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """A whole number from 0 to n-1."""
        return ((self.word() >> 32) * n) >> 32

    def outcome(self, chances: list[tuple[int, float]]) -> int:
        """One of the outcomes, by its probability."""
        left = (self.word() >> 11) * 2.0**-53
        for code, probability in chances[:-1]:
            left -= probability
            if left < 0.0:
                return code
        return chances[-1][0]


class ClassRules(Rules):
    """The rules in a user's class.

    The class has ``to_move()``, ``moves()`` (any hashable values), ``play(move)`` (changes the object), ``over()`` and
    ``scores()`` (one number in [0, 1] a player); it may have ``players`` (2), ``max_moves`` (1024), ``clone()``
    (default: a deep copy), ``chances()`` (pairs of outcome and probability, where ``to_move()`` is -1),
    ``move_name(move)`` and ``__str__``.
    """

    NEEDED = ("to_move", "moves", "play", "over", "scores")

    def __init__(self, make: Callable[[], Any], title: str) -> None:
        self.make = make
        self.title = title
        first = make()
        missing = [name for name in self.NEEDED if not callable(getattr(first, name, None))]
        if missing:
            raise RamifyError(f"class {title} has no method {missing[0]}(); it needs {', '.join(self.NEEDED)}")
        self.players = int(getattr(first, "players", 2))
        self.max_children = int(getattr(first, "max_moves", 1024))
        self.codes: dict[Hashable, int] = {}
        self.values: list[Any] = []
        self.numbering = Lock()  # threads may meet new moves at the same time
        self.has_clone = hasattr(first, "clone")

    def code(self, move: Hashable) -> int:
        """The number of a move: the same move has the same number in every state."""
        code = self.codes.get(move)
        if code is not None:
            return code
        with self.numbering:
            if move not in self.codes:
                self.values.append(move)
                self.codes[move] = len(self.values) - 1
            return self.codes[move]

    def start(self) -> Any:
        return self.make()

    def clone(self, state: Any) -> Any:
        return state.clone() if self.has_clone else copy.deepcopy(state)

    def mover(self, state: Any) -> int:
        return int(state.to_move())

    def legal(self, state: Any) -> list[int]:
        return [self.code(move) for move in state.moves()]

    def chances(self, state: Any) -> list[tuple[int, float]]:
        return [(self.code(move), float(probability)) for move, probability in state.chances()]

    def play(self, state: Any, code: int) -> None:
        state.play(self.values[code])

    def over(self, state: Any) -> bool:
        return bool(state.over())

    def scores(self, state: Any) -> Sequence[float]:
        return [float(score) for score in state.scores()]

    def name(self, state: Any, code: int) -> str:
        move = self.values[code]
        return str(state.move_name(move) if hasattr(state, "move_name") else move)

    def draw(self, state: Any) -> str:
        return str(state)


class UncompiledGame(Game):
    """A game whose rules are Python objects."""

    state_bytes = 8  # of nothing: only the address matters

    def __init__(self, name: str, rules: Rules) -> None:
        self.name = name
        self.rules = rules
        self.players = rules.players
        self.max_children = rules.max_children
        self.objects: dict[int, Any] = {}  # address of an engine's state -> the object
        self.error: BaseException | None = None
        self._kernels = {
            "legal": self._kernel(self._legal, 3),
            "play": self._kernel(self._play, 3),
            "mover": self._kernel(lambda _, state: self.rules.mover(self.objects[state]), 2),
            "scores": self._kernel(self._scores, 3),
            "chances": self._kernel(self._chances, 4),
            "copy": self._kernel(self._copy, 2),
            "playout": self._kernel(self._playout, 5),
        }

    @classmethod
    def of_class(cls, make: Callable[..., Any], call: Call) -> UncompiledGame:
        """The game of a user's class; the parameters are those of its constructor."""
        parameters = {k: p.default for k, p in inspect.signature(make).parameters.items()}
        chosen = bind(call, parameters, "game")
        name = str(Call(call.name, tuple(chosen.items())))  # type: ignore[arg-type]
        return cls(name, ClassRules(lambda: make(**chosen), getattr(make, "__name__", call.name)))

    # The kernels. An exception cannot travel through compiled code: it is kept, and the search ends at once.

    def _kernel(self, function: Callable[..., int | None], arity: int) -> Kernel:
        def guarded(*arguments: int) -> int:
            if self.error is not None:
                return 0
            try:
                return function(*arguments) or 0
            except BaseException as error:  # noqa: BLE001
                self.error = error
                return 0

        made: Kernel = python_kernel(guarded, arity)
        return made

    def _fill(self, address: int, kind: Any, values: Sequence[float]) -> None:
        if len(values) > self.max_children:
            raise RamifyError(
                f"{self.name} has a position with {len(values)} moves, more than the {self.max_children} it announced;"
                " say max_moves in the class"
            )
        (kind * len(values)).from_address(address)[:] = values

    def _legal(self, _: int, state: int, moves: int) -> int:
        thing = self.objects[state]
        if self.rules.over(thing):
            return 0
        codes = self.rules.legal(thing)
        self._fill(moves, ctypes.c_int64, codes)
        return len(codes)

    def _chances(self, _: int, state: int, moves: int, probabilities: int) -> int:
        outcomes = self.rules.chances(self.objects[state])
        self._fill(moves, ctypes.c_int64, [code for code, _ in outcomes])
        self._fill(probabilities, ctypes.c_double, [p for _, p in outcomes])
        return len(outcomes)

    def _play(self, _: int, state: int, move: int) -> None:
        self.rules.play(self.objects[state], move)

    def _scores(self, _: int, state: int, out: int) -> None:
        self._fill(out, ctypes.c_double, self.scores(self.objects[state]))

    def _copy(self, target: int, source: int) -> None:
        self.objects[target] = self.rules.clone(self.objects[source])

    def _playout(self, _: int, state: int, _moves: int, rng: int, limit: int) -> int:
        cell = ctypes.c_uint64.from_address(rng)
        random = PythonGenerator(cell.value)
        plies = self.rules.playout(self.objects[state], random, limit)
        cell.value = random.state
        return plies

    def check_for_error(self) -> None:
        error, self.error = self.error, None
        if error is not None:
            raise error

    def table(self) -> GameTable:
        return GameTable(
            players=self.players,
            state_bytes=self.state_bytes,
            max_children=self.max_children,
            rules=0,
            **{name: kernel.address for name, kernel in self._kernels.items() if name != "playout"},
        )

    def uniform_playout(self) -> Kernel:
        return self._kernels["playout"]

    def put(self, data: Any, address: int) -> None:
        self.objects[address] = self.rules.clone(data)

    # The same for Python.

    def start(self) -> Any:
        return self.rules.start()

    def mover(self, data: Any) -> int:
        return self.rules.mover(data)

    def legal(self, data: Any) -> list[int]:
        return [] if self.rules.over(data) else self.rules.legal(data)

    def legal_of(self, data: Any, player: int) -> list[int]:
        del data
        raise RamifyError(f"uncompiled games take turns, so player {player} has no moves of their own here")

    def chances(self, data: Any) -> list[tuple[int, float]]:
        return self.rules.chances(data)

    def play(self, data: Any, code: int) -> Any:
        after = self.rules.clone(data)
        self.rules.play(after, code)
        return after

    def play_all(self, data: Any, codes: Sequence[int]) -> Any:
        del data
        raise RamifyError(f"uncompiled games take turns, so {len(codes)} moves cannot be made at once")

    def over(self, data: Any) -> bool:
        return self.rules.over(data)

    def scores(self, data: Any) -> list[float]:
        scores = list(self.rules.scores(data))
        if len(scores) != self.players:
            raise RamifyError(f"{self.name} is for {self.players} players but gave {len(scores)} scores")
        return scores

    def draw(self, data: Any) -> str:
        return self.rules.draw(data)

    def move_name(self, data: Any, code: int) -> str:
        return self.rules.name(data, code)

    def key(self, data: Any) -> object:
        return self.rules.key(data)
