"""Python rules behind the engine's kernel table.

A state on the engine's side is only an address; the Python object that belongs to it is looked up by that address. One
call into Python for each move in the tree, one for a whole playout.

An exception of Python's cannot travel through compiled code: it is kept in ``failures`` and the kernel answers FAILED,
which ends the simulation at once with an exception of the compiled code's; Python then raises the one that was kept.
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
    """``core.search.episode.EPISODE`` as Python's callbacks see it."""

    _fields_ = tuple((name, ctypes.c_int64) for name in EPISODE.names or ())


class ArrayViews(dict[int, Any]):
    """Arrays of one type by their address, made when first used: 0.1 us to find one, 0.4 us to make one."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    def __missing__(self, address: int) -> Any:
        view = self[address] = self.kind.from_address(address)
        return view


class Callbacks:
    """The functions behind the kernels of ``core.search.plan.GameTable``, and ``playout``; see ``callback``."""

    __slots__ = (
        *("episodes", "failures", "floats", "generators", "integers", "joint", "name"),
        *("objects", "random", "results", "rules", "traces"),
    )

    def __init__(self, name: str, rules: PythonRules) -> None:
        self.name = name
        self.rules = rules
        self.objects: dict[int, Any] = {}  # address of an engine's state -> the object
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
        """Kernels that call these functions."""
        arities = ARITIES | (JOINT_ARITIES if self.rules.simultaneous else {})
        return {name: python_kernel(MethodType(callback(name), self), arity) for name, arity in arities.items()}

    def _count(self, count: int) -> int:
        if count == 0:
            raise RamifyError(f"{self.name} has a position that is not over and has no moves")
        most = self.rules.max_children
        if count > most:
            raise RamifyError(f"{self.name} has a position with {count} moves, more than the {most} it announced")
        return count

    def _player(self, player: int) -> int:
        if CHANCE <= player < self.rules.players or (player == SIMULTANEOUS and self.rules.simultaneous):
            return player
        raise RamifyError(f"{self.name} says that player {player} is to move, but has {self.rules.players} players")

    def mover(self, _rules: int, state: int) -> int:
        thing = self.objects[state]
        return 0 if self.rules.over(thing) else self._player(self.rules.mover(thing))

    def legal(self, _rules: int, state: int, moves: int) -> int:
        thing = self.objects[state]
        if self.rules.over(thing):
            return 0
        codes = self.rules.legal(thing)
        count = self._count(len(codes))
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
        count = self._count(len(codes))
        self.integers[moves][:count] = codes
        return count

    def play_joint(self, _rules: int, state: int, moves: int) -> int:
        self.rules.play_joint(self.objects[state], list(self.joint[moves]))
        return 0

    def scores(self, _rules: int, state: int, out: int) -> int:
        self.results[out][:] = self.rules.scores(self.objects[state])
        return 0

    def copy(self, target: int, source: int) -> int:
        self.objects[target] = self.rules.clone(self.objects[source])
        return 0

    def key(self, _rules: int, state: int) -> int:
        # Python's own `hash` of text differs between processes; this one repeats.
        text = repr(self.rules.key(self.objects[state])).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little", signed=True)

    def playout(self, _rules: int, state: int, episode: int, _block: int) -> int:
        told = self.episodes[episode]
        cell = self.generators[told.rng]
        self.random.state = cell.value
        plies = self.rules.playout(self.objects[state], self.random, told.limit)
        cell.value = self.random.state
        return plies

    def traced_playout(self, _rules: int, state: int, episode: int, _block: int) -> int:
        told = self.episodes[episode]
        cell, trace, classes, made = self.generators[told.rng], self.traces[told.trace], told.classes, 0
        self.random.state = cell.value
        plies, moves = self.rules.traced_playout(self.objects[state], self.random, told.limit)
        for player, code in moves[:MAX_TRACE]:
            if code < classes:
                trace[made] = player * classes + code
                made += 1
        told.made = made
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
JOINT_ARITIES = {"over": 2, "legal_of": 4, "play_joint": 3}  # where everybody moves at once


def keeping(self: Callbacks) -> int:
    """What every callback does around its body, which stands in the place of the dots."""
    try:
        if not self.failures:
            ...
    except BaseException as error:  # noqa: BLE001
        self.failures.append(error)
    return FAILED


@cache
def callback(name: str) -> FunctionType:
    """A function of ``Callbacks`` with ``keeping`` around its body.

    It is compiled again, because a wrapper would add a Python call to every callback.
    """
    written = getattr(Callbacks, name)
    function, around = parsed(written), parsed(keeping)
    _, attempt, failed = around.body
    attempt.body[0].body = function.body  # type: ignore[attr-defined]
    function.body = [attempt, failed]
    made: dict[str, FunctionType] = {}
    module = ast.Module([function], type_ignores=[])
    exec(compile(module, written.__code__.co_filename, "exec"), globals(), made)  # noqa: S102
    return made[name]


def parsed(function: Callable[..., int]) -> ast.FunctionDef:
    """The syntax of a function, with the line numbers of its file."""
    lines, first = inspect.getsourcelines(function)
    module = ast.increment_lineno(ast.parse(dedent("".join(lines))), first - 1)
    return cast(ast.FunctionDef, module.body[0])


@cache
def codes() -> frozenset[CodeType]:
    """Of all callbacks."""
    return frozenset(callback(name).__code__ for name in (*ARITIES, *JOINT_ARITIES))


@contextmanager
def deferring_signals(failures: list[BaseException]) -> Iterator[None]:
    """Around compiled code that calls the kernels: no signal gets lost there.

    Python runs a signal's handler when a callback is entered, before the callback's ``try``: what the handler raises
    would be printed and forgotten. Where it interrupted a callback itself, its exception joins the failures instead.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    ours = codes()

    def handle(number: int, frame: FrameType | None) -> None:
        try:
            before(number, frame)
        except BaseException as error:
            if frame is None or frame.f_code not in ours:
                raise
            failures.append(error)

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
