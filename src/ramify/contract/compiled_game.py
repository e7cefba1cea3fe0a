"""Games written as plain functions over records, compiled into kernels."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from ramify.contract.author_errors import AuthorError, call_author, explain_error, explaining_errors
from ramify.contract.bind_kernels import BODIES, MAX_BUFFER, binding_of
from ramify.contract.checked_kernels import NO_RULES, rules_type
from ramify.contract.game import MOVE_BUFFER_SLACK, Game
from ramify.contract.interfaces.playout_spec import FASTEST, PlayoutSpec
from ramify.contract.parts import adopt_old_parts
from ramify.core.kernels.compiling import Kernel
from ramify.core.kernels.pointers import address, copy_bytes
from ramify.core.kernels.records import record_type
from ramify.core.kernels.source_digest import is_user_module
from ramify.core.numbers.rng import generator
from ramify.core.playouts.context import PlayoutPolicy
from ramify.core.playouts.move_counter import rules_record
from ramify.core.search.plan import GameTable
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.core.tools.violations import question_kernels, violation_text
from ramify.errors import BadMoveCountError, GameViolationError, RamifyError
from ramify.grammar import Call, bind

Data = npt.NDArray[np.void]  # one record of the module's State


def parameters_of(module: ModuleType) -> dict[str, Any]:
    """Return the game's parameters with their defaults: the keyword arguments of ``configure``."""
    if not hasattr(module, "configure"):
        return {}
    found = {name: p.default for name, p in list(inspect.signature(module.configure).parameters.items())[1:]}
    for name, default in found.items():
        if default is inspect.Parameter.empty:
            raise RamifyError(f"parameter '{name}' of configure in {module.__file__} needs a default")
    return found


def chosen_parameters(module: ModuleType, call: Call) -> dict[str, Any]:
    """Return the parameters that ``call`` selects, converted to the types of the defaults."""
    defaults = parameters_of(module)
    chosen: dict[str, Any] = bind(call, defaults, "game")
    for key, value in chosen.items():
        if type(value) is int and type(defaults[key]) is float:
            chosen[key] = float(value)
        elif type(value) is not type(defaults[key]):
            kind = {int: "a whole number", float: "a number", bool: "true or false"}.get(type(defaults[key]), "text")
            raise RamifyError(f"parameter '{key}' of game '{call.name}' must be {kind}, not '{value}'")
    return chosen


def check_records(module: ModuleType, game: str) -> None:
    """Raise unless State and Rules are dtypes that kernels can work on."""
    for name in ("State", "Rules"):
        record = getattr(module, name, NO_RULES)
        if not isinstance(record, np.dtype) or not record.names or record.hasobject:
            raise RamifyError(
                f"{name} of game '{game}' must be a numpy dtype of named fields, each a number or an array of"
                f" numbers, not {record!r}"
            )
        check_fields(record, name, game)


def check_fields(record: np.dtype[Any], path: str, game: str) -> None:
    """Raise unless all fields of a record, and of the records in it, are integers, floats or bools."""
    for name in record.names or ():
        field = record[name].base
        check_fields(field, f"{path}.{name}", game)
        if field.names is None and field.kind not in "biuf":
            raise RamifyError(
                f"field {path}.{name} of game '{game}' has the type {field}: use integers, floats, bools or arrays of"
                " them"
            )


def as_record(array: npt.NDArray[Any]) -> Any:
    """Return the only item of an array as a record with attributes; writes go to the array."""
    return array.view(record_type(array.dtype))[0]


class CompiledGame(Game):
    """A game of a module that follows ``ramify.contract.parts``, with its parameters."""

    def __init__(self, module: ModuleType, call: Call) -> None:
        adopt_old_parts(module)
        self.module = module
        self.parameters = chosen_parameters(module, call)
        check_records(module, call.name)
        self.name = str(Call(call.name, tuple(self.parameters.items())))
        self.rules_array: npt.NDArray[Any] = rules_record(rules_type(module))
        self.rules: Any = as_record(self.rules_array)
        if hasattr(module, "configure"):
            call_author(module.configure, self.rules, **self.parameters)
        self.players = self._number("PLAYERS", "players")
        self.max_moves = self._number("MAX_MOVES", "max_moves")
        self.max_chance_outcomes = (
            self._number("MAX_CHANCE_OUTCOMES", "max_chance_outcomes") if hasattr(module, "chance_outcomes") else 0
        )
        self.max_children = max(self.max_moves, self.max_chance_outcomes)
        self.state_type = module.State
        self.state_bytes = module.State.itemsize
        self.binding = binding_of(module, self.players, self.max_children if self.max_chance_outcomes else 0)
        self._rules_address = address(self.rules_array)
        # New: not yet prechecked. Unread: no text has been read.
        self._new = self._unread = self._checked = is_user_module(module)
        if self._checked:
            self.rules_array["ramify_max_moves"] = self.max_moves
            self.rules_array["ramify_max_chance_outcomes"] = self.max_chance_outcomes
            for name, kernel in question_kernels().items():
                self.rules_array[name] = kernel.address
            with suppress(Exception):  # an invalid number is reported by whoever needs it
                self.rules_array["ramify_move_classes"] = self.move_classes()
        self._configured = self.author_rules(self.rules_array)

    def with_own_rules(self) -> Self:
        """Return a copy of this game that shares no memory to which kernels write."""
        if self._new:
            self._precheck()
        made = copy(self)
        made.rules_array = rules_record(self.rules_array.dtype)
        made.rules_array[:] = self.rules_array
        made.rules = as_record(made.rules_array)
        made._rules_address = address(made.rules_array)
        return made

    def author_rules(self, rules: npt.NDArray[Any]) -> bytes:
        """Return the bytes of the rules without ``violations.RULES_TAIL``."""
        return rules.tobytes()[: getattr(self.module, "Rules", NO_RULES).itemsize]

    def _number(self, constant: str, function: str) -> int:
        computed = hasattr(self.module, function)
        number = call_author(getattr(self.module, function), self.rules) if computed else getattr(self.module, constant)
        name = f"{function}(rules)" if computed else constant
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
            raise RamifyError(f"{name} of game '{self.name}' must be a whole number from 1, not {number!r}")
        if number > MAX_BUFFER and constant != "MOVE_CLASSES":  # whoever needs the classes limits them
            raise RamifyError(f"{name} of game '{self.name}' is too large: use at most {MAX_BUFFER}")
        return int(number)

    def _precheck(self) -> None:
        """Raise if a user's game fails a short check; run before it is first played."""
        from ramify.contract.checking.precheck import precheck  # noqa: PLC0415  (it plays such games)

        precheck(self)
        self._new = False

    def _call(self, name: str, data: Data, *arguments: int) -> int:
        if self._new:
            self._precheck()
        kernel = self.binding.kernel(name)
        try:
            return int(kernel(self._rules_address, address(data), *arguments))
        except GameViolationError as error:
            raise GameViolationError(f"{self._violation()}; in the position {self.one_line(data)}") from error
        except BaseException as error:
            explained = explain_error(error, self.binding.file, name)
            if explained is error:
                raise
            raise explained from error

    def error_at(self, data: Data) -> AuthorError | None:
        """Return the error that a function raises as plain Python in a position or after one of its moves, if any.

        Compiled code does not say in which line an index is out of bounds.
        """
        module, rules, most = self.module, self.rules, self.max_children
        moves, probabilities, out = np.zeros(most, np.int64), np.zeros(most), np.zeros(self.players)
        try:
            with explaining_errors(), np.errstate(all="ignore"):
                state = as_record(data.copy())
                if module.over(rules, state):
                    module.scores(rules, state, out)
                elif (who := module.mover(rules, state)) == CHANCE:
                    module.chance_outcomes(rules, state, moves, probabilities)
                elif who == SIMULTANEOUS:
                    for player in range(self.players):
                        module.legal_of(rules, state, player, moves[: self.max_moves])
                else:
                    count = module.legal(rules, state, moves[: self.max_moves])
                    for move in moves[:count].tolist():
                        module.play(rules, as_record(data.copy()), move)
        except AuthorError as error:
            return error
        except Exception:  # noqa: BLE001  (a position in the middle of a move may be invalid)
            return None
        return None

    def _violation(self) -> str:
        return f"{Path(self.binding.file).name}: {violation_text(self.rules_array)}"

    @contextmanager
    def explaining_errors(self) -> Iterator[None]:
        try:
            with super().explaining_errors():
                yield
        except GameViolationError as error:
            raise GameViolationError(self._violation()) from error
        if self._checked and self.author_rules(self.rules_array) != self._configured:
            raise GameViolationError(
                f"{Path(self.binding.file).name}: a function changed the rules; only configure may"
            )

    def start(self) -> Data:
        return self._start.copy()

    @cached_property
    def _start(self) -> Data:
        """Computed once, in plain Python: compiling ``start`` would take longer."""
        data: Data = np.zeros(1, self.state_type)
        with explaining_errors(), np.errstate(over="ignore"):
            self.module.start(self.rules, as_record(data))
        return data

    def mover(self, data: Data) -> int:
        return self._call("mover", data)

    # A kernel runs without the GIL, so every call has its own buffers.

    def legal(self, data: Data) -> list[int]:
        moves = np.empty(self.max_children + MOVE_BUFFER_SLACK, np.int64)
        count = self._count("legal", data, address(moves))
        return [int(code) for code in moves[:count]]

    def legal_of(self, data: Data, player: int) -> list[int]:
        moves = np.empty(self.max_children + MOVE_BUFFER_SLACK, np.int64)
        count = self._count("legal_of", data, player, address(moves))
        return [int(code) for code in moves[:count]]

    def chance_outcomes(self, data: Data) -> list[tuple[int, float]]:
        capacity = self.max_children + MOVE_BUFFER_SLACK
        moves, probabilities = np.empty(capacity, np.int64), np.empty(capacity)
        count = self._count("chance_outcomes", data, address(moves), address(probabilities))
        return [(int(code), float(p)) for code, p in zip(moves[:count], probabilities[:count], strict=True)]

    def _count(self, name: str, data: Data, *arguments: int) -> int:
        """Call a function that lists moves. Return their number, or raise if it is out of range."""
        try:
            count = self._call(name, data, *arguments)
        except BadMoveCountError:  # only checked kernels raise it
            count = int(self.rules_array["ramify_number"][0])
        if 0 <= count <= self.max_children:
            return count
        raise BadMoveCountError(
            f"{name}() in {Path(self.binding.file).name} lists {count} moves, but the game declares"
            f" at most {self.max_children}; in the position {self.one_line(data)}"
        )

    def play(self, data: Data, code: int) -> Data:
        after = data.copy()
        self._call("play", after, code)
        return after

    def play_joint(self, data: Data, codes: Sequence[int]) -> Data:
        after = data.copy()
        joint = np.array(codes, np.int64)
        self._call("play_joint", after, address(joint))
        return after

    def over(self, data: Data) -> bool:
        return bool(self._call("over", data))

    def scores(self, data: Data) -> list[float]:
        out = np.zeros(self.players)
        self._call("scores", data, address(out))
        return [float(score) for score in out]

    def draw(self, data: Data) -> str:
        if not hasattr(self.module, "draw"):
            return str(data[0])
        return str(call_author(self.module.draw, self.rules, as_record(data)))

    def move_name(self, data: Data, code: int) -> str:
        if not hasattr(self.module, "move_name"):
            return str(code)
        return str(call_author(self.module.move_name, self.rules, as_record(data), code))

    def write(self, data: Data) -> str | None:
        if not hasattr(self.module, "write"):
            return None
        return str(call_author(self.module.write, self.rules, as_record(data)))

    def read(self, text: str) -> Data | None:
        if not hasattr(self.module, "read"):
            return None
        if self._unread:
            from ramify.contract.checking.precheck import precheck_reading  # noqa: PLC0415  (it plays such games)

            precheck_reading(self)
            self._unread = False
        data = self.start()
        call_author(self.module.read, self.rules, as_record(data), text)
        return data

    def key(self, data: Data) -> bytes:
        return data.tobytes()

    def table(self) -> GameTable:
        if self._new:
            self._precheck()

        def kernel(name: str) -> int:
            return int(self.binding.kernel(name).address) if self.binding.has(name) else 0

        return GameTable(
            players=self.players,
            state_bytes=self.state_bytes,
            max_children=self.max_children,
            rules=self._rules_address,
            legal=kernel("legal"),
            play=kernel("play"),
            mover=kernel("mover"),
            scores=kernel("scores"),
            chance_outcomes=kernel("chance_outcomes"),
            copy=0,
            over=kernel("over") if self.binding.has("play_joint") else 0,
            legal_of=kernel("legal_of"),
            play_joint=kernel("play_joint"),
        )

    @property
    def is_users(self) -> bool:
        return self._checked

    def has(self, part: str) -> bool:
        return self.binding.has(part)

    def kernel(self, part: str) -> Kernel | None:
        return self.binding.kernel(part) if self.binding.has(part) else None

    def playout(self, spec: PlayoutSpec = FASTEST) -> Kernel:
        """A game's own ``playout`` ignores limits and records no moves: it need not play move by move."""
        if spec.policy == "reckless":
            return self.binding.kernel("reckless_playout")
        drawing = "plain" if spec.policy == "uniform" else spec.policy
        if spec.traced:
            return self.binding.kernel(f"traced_{drawing}_playout")
        if spec.policy != "uniform" or (spec.limited and self.has("playout")):
            return self.binding.kernel(f"{drawing}_playout")
        return self.binding.kernel(
            "exact_length_playout" if spec.exact_length and self.has("exact_length_playout") else "uniform_playout"
        )

    def scripted(self, data: Data, player: int, seed: int) -> int:
        if not self.has("script"):
            return super().scripted(data, player, seed)
        return self._call("script", data, player, address(generator(seed)))

    def policy_playout(self, policy: PlayoutPolicy) -> Kernel:
        return self.binding.policy_playout(policy)

    def winning_move_kernel(self) -> Kernel:
        return self.binding.kernel("win")

    def move_classes(self) -> int:
        declared = self.binding.has("MOVE_CLASSES") or self.binding.has("move_classes")
        return self._number("MOVE_CLASSES", "move_classes") if declared else super().move_classes()

    def margins(self) -> tuple[float, float]:
        if self.binding.has("margins"):
            low, high = self.module.margins(self.rules)
        elif self.binding.has("MARGINS"):
            low, high = self.module.MARGINS
        else:
            return super().margins()
        return float(low), float(high)

    def warm(self) -> None:
        for name in ("uniform_playout", *(n for n in BODIES if n != "start" and self.binding.has(n))):
            self.binding.kernel(name)
        self.table()

    def to_address(self, data: Data, target: int) -> None:
        copy_bytes(target, address(data), self.state_bytes)

    def from_address(self, source: int) -> Data:
        data: Data = np.zeros(1, self.state_type)
        copy_bytes(address(data), source, self.state_bytes)
        return data
