"""Games that are not compiled: Python functions behind the engine's kernel table."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

import numpy as np

from ramify.contract.author_errors import call_author, explain_error, explaining_errors
from ramify.contract.class_rules import ClassRules
from ramify.contract.game import Game
from ramify.contract.interfaces.playout_spec import FASTEST, PlayoutSpec
from ramify.contract.python_kernels import JOINT_ARITIES, Callbacks, deferring_signals
from ramify.contract.python_rules import PythonRules
from ramify.core.kernels.compiling import Kernel
from ramify.core.kernels.pointers import KernelFailedError, address
from ramify.core.playouts.move_counter import rules_record
from ramify.core.search.plan import GameTable
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError
from ramify.grammar import Call, bind


class PythonGame(Game):
    """A game whose rules are Python objects."""

    state_bytes = 8  # unused memory: only its address matters
    state_is_bytes = False

    def __init__(self, name: str, rules: PythonRules) -> None:
        self.name = name
        self.rules = rules
        self.players = rules.players
        self.max_children = rules.max_children
        self._callbacks = Callbacks(name, rules)
        self._kernels = self._callbacks.kernels()
        self._rules = rules_record(np.dtype([("nothing", np.int64)]))  # unused: only the counter before it matters
        self._named: tuple[Any, dict[int, str]] = (None, {})  # the last position and the names of its moves

    @classmethod
    def from_class(cls, make: Callable[..., Any], call: Call) -> PythonGame:
        """Make a game from a user's class; its parameters are those of the constructor."""
        title = getattr(make, "__name__", call.name)
        defaults = {key: parameter.default for key, parameter in inspect.signature(make).parameters.items()}
        chosen: dict[str, Any] = bind(call, defaults, "game")
        for key, value in chosen.items():
            if value is inspect.Parameter.empty:
                raise RamifyError(f"class {title} needs a value for '{key}': use {call.name}({key}=...)")
            if isinstance(value, Call):  # a bare word is a string
                chosen[key] = str(value)
        name = str(Call(call.name, tuple((key, value) for key, value in chosen.items() if value is not None)))
        return cls(name, ClassRules(lambda: make(**chosen), title))

    # For the engine.

    def for_search(self) -> Self:
        """Return a game with its own objects and failures: searches must not share them."""
        return type(self)(self.name, self.rules.for_search())

    @contextmanager
    def explaining_errors(self) -> Iterator[None]:
        failures = self._callbacks.failures
        try:
            with explaining_errors(), deferring_signals(failures):
                yield
        except BaseException as error:
            if not (failures and isinstance(error, KernelFailedError)):
                failures.clear()
                raise
        if failures:
            first = failures[0]
            failures.clear()
            raise first if isinstance(first, Exception) else explain_error(first)

    def table(self) -> GameTable:
        return GameTable(
            players=self.players,
            state_bytes=self.state_bytes,
            max_children=self.max_children,
            rules=address(self._rules),
            **{name: kernel.address for name, kernel in self._kernels.items() if name in GameTable._fields},
        )

    def has(self, part: str) -> bool:
        return self.rules.has_key if part == "key" else part in self._kernels and part in JOINT_ARITIES

    @property
    def is_users(self) -> bool:
        return isinstance(self.rules, ClassRules)

    @property
    def has_chance(self) -> bool:
        return self.rules.has_chance

    @property
    def constant_sum(self) -> bool:
        return self.rules.constant_sum

    def kernel(self, part: str) -> Kernel | None:
        return self._kernels[part] if self.has(part) else None

    def playout(self, spec: PlayoutSpec = FASTEST) -> Kernel:
        """Playouts are uniform, respect the limit and return the true number of plies."""
        return self._kernels["traced_playout" if spec.traced else "playout"]

    def move_classes(self) -> int:
        return self.rules.move_classes or super().move_classes()

    def to_address(self, data: Any, target: int) -> None:
        self._callbacks.objects[target] = call_author(self.rules.clone, data)

    def from_address(self, source: int) -> Any:
        return self._callbacks.objects[source]

    # For Python.

    def start(self) -> Any:
        return call_author(self.rules.start)

    def mover(self, data: Any) -> int:
        return 0 if call_author(self.rules.over, data) else call_author(self.rules.mover, data)

    def legal(self, data: Any) -> list[int]:
        return [] if call_author(self.rules.over, data) else call_author(self.rules.legal, data)

    def legal_of(self, data: Any, player: int) -> list[int]:
        return [] if call_author(self.rules.over, data) else call_author(self.rules.legal_of, data, player)

    def chance_outcomes(self, data: Any) -> list[tuple[int, float]]:
        return call_author(self.rules.chance_outcomes, data)

    def play(self, data: Any, code: int) -> Any:
        after = call_author(self.rules.clone, data)
        call_author(self.rules.play, after, code)
        return after

    def play_joint(self, data: Any, codes: Sequence[int]) -> Any:
        after = call_author(self.rules.clone, data)
        call_author(self.rules.play_joint, after, codes)
        return after

    def over(self, data: Any) -> bool:
        return call_author(self.rules.over, data)

    def scores(self, data: Any) -> list[float]:
        return list(call_author(self.rules.scores, data))

    def draw(self, data: Any) -> str:
        return call_author(self.rules.draw, data)

    def move_name(self, data: Any, code: int) -> str:
        position, names = self._named
        if position is not data:
            codes = self._codes(data)
            names = dict(zip(codes, call_author(self.rules.move_names, data, codes), strict=True))
            self._named = (data, names)
        return names[code]

    def _codes(self, data: Any) -> list[int]:
        """Return all players' moves in a position, or the chance outcomes."""
        mover = self.mover(data)
        if mover == CHANCE:
            return [outcome for outcome, _ in self.chance_outcomes(data)]
        if mover == SIMULTANEOUS:
            return sorted({code for player in range(self.players) for code in self.legal_of(data, player)})
        return self.legal(data)

    def key(self, data: Any) -> object:
        return call_author(self.rules.key, data)
