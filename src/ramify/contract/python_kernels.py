"""Kernels that call Python rules.

To the engine a state is only an address, by which the Python object is looked up. There is one call into Python per
move in the tree, and one per playout.

A Python exception cannot propagate through compiled code. It is stored in ``failures``, and the kernel returns FAILED,
which makes the compiled code raise its own exception. Python then raises the stored one.
"""

from __future__ import annotations

import ast
import ctypes
import hashlib
import inspect
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from textwrap import dedent
from types import CodeType, FrameType, FunctionType, MethodType
from typing import Any, cast

from ramify.contract.python_rules import PythonGenerator, PythonRules
from ramify.core.kernels.compiling import Kernel, python_kernel
from ramify.core.kernels.pointers import FAILED
from ramify.core.search.episode import EPISODE, MAX_TRACE
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import RamifyError


class Episode(ctypes.Structure):
    """``core.search.episode.EPISODE`` as a ctypes structure."""

    _fields_ = tuple((name, ctypes.c_int64) for name in EPISODE.names or ())


class ArrayViews(dict[int, Any]):
    """Cache of ctypes arrays of one type by address: 0.1 us per lookup, 0.4 us to create one."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    def __missing__(self, address: int) -> Any:
        view = self[address] = self.kind.from_address(address)
        return view


class Callbacks:
    """The Python functions behind the kernels of ``core.search.plan.GameTable`` and the playouts."""

    __slots__ = (
        *("episodes", "failures", "floats", "generators", "integers", "joint", "name"),
        *("objects", "random", "results", "rules", "traces"),
    )

    def __init__(self, name: str, rules: PythonRules) -> None:
        self.name = name
        self.rules = rules
        self.objects: dict[int, Any] = {}  # address of an engine state -> the Python object
        self.failures: list[BaseException] = []
        self.integers = ArrayViews(ctypes.c_int64 * rules.max_children)
        self.joint = ArrayViews(ctypes.c_int64 * rules.players)
        self.floats = ArrayViews(ctypes.c_double * rules.max_children)
        self.results = ArrayViews(ctypes.c_double * rules.players)
        self.generators = ArrayViews(ctypes.c_uint64)
        self.traces = ArrayViews(ctypes.c_int64 * MAX_TRACE)
        self.episodes = ArrayViews(Episode)
        self.random = PythonGenerator(0)

    def kernels(self) -> dict[str, Kernel]:
        """Return kernels that call these functions."""
        arities = ARITIES | (JOINT_ARITIES if self.rules.simultaneous else {})
        return {name: python_kernel(MethodType(callback(name), self), arity) for name, arity in arities.items()}

    def _count(self, count: int) -> int:
        if count == 0:
            raise RamifyError(f"{self.name} has no moves in a position that is not over")
        most = self.rules.max_children
        if count > most:
            raise RamifyError(f"{self.name} has {count} moves in a position, more than the {most} it declares")
        return count

    def _codes(self, codes: list[int]) -> int:
        """Return the number of moves, or raise if one is listed twice."""
        if len(set(codes)) < len(codes):
            raise RamifyError(f"{self.name} lists a move twice in a position; it must list every move once")
        return self._count(len(codes))

    def _player(self, player: int) -> int:
        if CHANCE <= player < self.rules.players or (player == SIMULTANEOUS and self.rules.simultaneous):
            return player
        raise RamifyError(f"invalid player to move in {self.name}: {player}; it has {self.rules.players} players")

    def mover(self, _rules: int, state: int) -> int:
        thing = self.objects[state]
        return 0 if self.rules.over(thing) else self._player(self.rules.mover(thing))

    def legal(self, _rules: int, state: int, moves: int) -> int:
        thing = self.objects[state]
        if self.rules.over(thing):
            return 0
        codes = self.rules.legal(thing)
        count = self._codes(codes)
        self.integers[moves][:count] = codes
        return count

    def chance_outcomes(self, _rules: int, state: int, moves: int, probabilities: int) -> int:
        outcomes = self.rules.chance_outcomes(self.objects[state])
        count = self._count(len(outcomes))
        self.integers[moves][:count], self.floats[probabilities][:count] = zip(*outcomes, strict=True)
        return count

    def play(self, _rules: int, state: int, move: int) -> int:
        self.rules.play(self.objects[state], move)
        return 0

    def over(self, _rules: int, state: int) -> int:
        return int(self.rules.over(self.objects[state]))

    def legal_of(self, _rules: int, state: int, player: int, moves: int) -> int:
        thing = self.objects[state]
        if self.rules.over(thing):
            return 0
        codes = self.rules.legal_of(thing, player)
        count = self._codes(codes)
        self.integers[moves][:count] = codes
        return count

    def play_joint(self, _rules: int, state: int, moves: int) -> int:
        self.rules.play_joint(self.objects[state], list(self.joint[moves]))
        return 0

    def scores(self, _rules: int, state: int, out: int) -> int:
        scores = self.rules.scores(self.objects[state])
        for player, score in enumerate(scores):
            if not 0.0 <= score <= 1.0:
                raise RamifyError(f"{self.name}: score {score} of player {player} is not in [0, 1]")
        self.results[out][:] = scores
        return 0

    def copy(self, target: int, source: int) -> int:
        self.objects[target] = self.rules.clone(self.objects[source])
        return 0

    def key(self, _rules: int, state: int) -> int:
        # Python's `hash` of a string differs between processes; this one does not.
        text = repr(self.rules.key(self.objects[state])).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little", signed=True)

    def playout(self, _rules: int, state: int, episode: int, _block: int) -> int:
        record = self.episodes[episode]
        cell = self.generators[record.rng]
        self.random.state = cell.value
        plies = self.rules.playout(self.objects[state], self.random, record.limit)
        cell.value = self.random.state
        return plies

    def traced_playout(self, _rules: int, state: int, episode: int, _block: int) -> int:
        record = self.episodes[episode]
        cell, trace, classes, length = self.generators[record.rng], self.traces[record.trace], record.classes, 0
        self.random.state = cell.value
        plies, moves = self.rules.traced_playout(self.objects[state], self.random, record.limit)
        for player, code in moves[:MAX_TRACE]:
            if code < classes:
                trace[length] = player * classes + code
                length += 1
        record.trace_length = length
        cell.value = self.random.state
        return plies


ARITIES = {
    "mover": 2,
    "legal": 3,
    "chance_outcomes": 4,
    "play": 3,
    "scores": 3,
    "copy": 2,
    "key": 2,
    "playout": 4,
    "traced_playout": 4,
}
JOINT_ARITIES = {"over": 2, "legal_of": 4, "play_joint": 3}  # for simultaneous moves


def storing_failures(self: Callbacks) -> int:
    """Template of every callback; its body replaces the dots."""
    try:
        if not self.failures:
            ...
    except BaseException as error:  # noqa: BLE001
        self.failures.append(error)
    return FAILED


@cache
def callback(name: str) -> FunctionType:
    """Return a function of ``Callbacks`` with ``storing_failures`` around its body.

    The function is recompiled, because a wrapper would add a Python call per callback.
    """
    written = getattr(Callbacks, name)
    function, around = parsed(written), parsed(storing_failures)
    _, attempt, failed = around.body
    attempt.body[0].body = function.body  # type: ignore[attr-defined]
    function.body = [attempt, failed]
    made: dict[str, FunctionType] = {}
    module = ast.Module([function], type_ignores=[])
    exec(compile(module, written.__code__.co_filename, "exec"), globals(), made)  # noqa: S102
    return made[name]


def parsed(function: Callable[..., int]) -> ast.FunctionDef:
    """Return the AST of a function, with the line numbers of its file."""
    lines, first = inspect.getsourcelines(function)
    module = ast.increment_lineno(ast.parse(dedent("".join(lines))), first - 1)
    return cast(ast.FunctionDef, module.body[0])


@cache
def codes() -> frozenset[CodeType]:
    """Return the code objects of all callbacks."""
    return frozenset(callback(name).__code__ for name in (*ARITIES, *JOINT_ARITIES))


@contextmanager
def deferring_signals(failures: list[BaseException]) -> Iterator[None]:
    """Wrap compiled code that calls the kernels, so that no SIGINT is lost.

    Python runs a signal handler when a callback is entered, before the callback's ``try``. An exception of the handler
    would only be printed there. If the handler interrupts a callback, its exception is appended to ``failures``.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    callbacks = codes()

    def handle(number: int, frame: FrameType | None) -> None:
        try:
            before(number, frame)
        except BaseException as error:
            if frame is None or frame.f_code not in callbacks:
                raise
            failures.append(error)

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
