"""Compares a policy's plain and compiled kernels on the same memory."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any

import numpy as np

from ramify.contract.checking.result import ContractViolation
from ramify.core.kernels.compiling import Kernel
from ramify.core.kernels.pointers import array, record
from ramify.strategies.policy.block_layout import BLOCK, CONSTANT_PREFIX, GAME_MEMORY_AT, MEMORY, block_type
from ramify.strategies.policy.policy import Policy, parameters

TOLERANCE = 1e-9  # relative, between plain and compiled values: the last bits of exp and log may differ


class RecordedCalls:
    """Records the calls of a user's function during the kernel's last call, for error messages."""

    def __init__(self, function: Callable[..., Any], names: tuple[str, ...]) -> None:
        self.function = function
        self.names = names  # parameter names
        self.calls: list[tuple[Any, ...]] = []

    def example(self, call: int = -1) -> str:
        """Return the arguments of a call as text."""
        given = zip(self.names, self.calls[call], strict=False)
        return ", ".join(
            f"{name}={format_argument(value)}" for name, value in given if name not in ("rng", "work", "indices")
        )

    def __str__(self) -> str:
        return self.example()


def format_argument(value: Any) -> str:
    """Return an argument as text; arrays are cut after 8 numbers."""
    if isinstance(value, np.ndarray):
        text = "[" + ", ".join(f"{number:.4g}" for number in value.ravel()[:8]) + (", ...]" if value.size > 8 else "]")
    else:
        text = f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)
    return text


class Comparison:
    """One kernel of a policy, plain and compiled."""

    def __init__(self, recorded: RecordedCalls, plain: Kernel, compiled: Kernel, policy: Policy) -> None:
        self.recorded, self.plain, self.compiled, self.policy = recorded, plain, compiled, policy

    def choose(self, children: int, count: int, visits: int, block: int) -> int:
        """Select with both kernels and compare. Return the plain kernel's choice."""
        indices = array(record(block, BLOCK).scratch, self._candidate_count(count, visits, block), np.float64)
        stored = self._stored_arrays(block)
        before = [one.copy() for one in stored]
        self.recorded.calls.clear()
        plain = self.plain(children, count, visits, block)
        plain_indices, after = indices.copy(), [one.copy() for one in stored]
        _restore(stored, before)
        compiled = self.compiled(children, count, visits, block)
        if self.recorded.calls:
            by_index = self.policy.fills_indices or not self.policy.returns_arm
            if by_index:
                self._check_indices(plain_indices, indices)
            elif plain != compiled:
                self._raise(f"chooses arm {compiled}", f"arm {plain}")
            if plain == compiled:
                self._check_stored(stored, after)
        _restore(stored, after)
        return plain

    def learn(self, *arguments: int) -> int:
        """Update with both kernels and compare. Leaves the memory as the plain kernel left it."""
        stored = self._stored_arrays(arguments[-1])
        before = [one.copy() for one in stored]
        self.recorded.calls.clear()
        answer = self.plain(*arguments)
        after = [one.copy() for one in stored]
        _restore(stored, before)
        self.compiled(*arguments)
        self._check_stored(stored, after)
        _restore(stored, after)
        return answer

    def _candidate_count(self, count: int, visits: int, block_: int) -> int:
        """Return the number of arms that the policy considers."""
        if self.policy.candidates is None:
            return count
        names = [constant.name for constant in self.policy.constants]
        block = record(block_, block_type(names, self.policy.columns))
        given = {name: float(getattr(block, CONSTANT_PREFIX + name)) for name in names}
        given |= {"N": max(float(visits), 1.0), "lnN": log(max(visits, 1)), "K": float(count)}
        wanted = self.policy.candidates(*(given[q] for q in parameters(self.policy.candidates)))
        return min(count, max(1, int(wanted)))

    def _stored_arrays(self, block_: int) -> list[Any]:
        """Return the generator, and the policy's statistics per game and search, per arm and per move class."""
        block = record(block_, BLOCK)
        numbers = self.policy.width(int(block.players)) * int(block.stride)
        return [
            array(block.rng, 1, np.uint64),
            array(block_ + GAME_MEMORY_AT, 2 * MEMORY, np.float64),
            array(block.kept + 8 * int(block.stride) * int(block.offset), numbers, np.float64),
            array(block.by_class, len(self.policy.tables) * int(block.classes), np.float64),
        ]

    def _check_indices(self, plain: Any, compiled: Any) -> None:
        """Raise if indices differ by more than rounding."""
        off = np.flatnonzero(~np.isclose(compiled, plain, TOLERANCE, TOLERANCE, equal_nan=True))
        if len(off):
            arm = int(off[0])
            call = arm if len(self.recorded.calls) == len(plain) else -1
            self._raise(f"gives arm {arm} the index {compiled[arm]:.6g}", f"{plain[arm]:.6g}", call)

    def _check_stored(self, stored: list[Any], after: list[Any]) -> None:
        """Raise if random draws or statistics differ."""
        if stored[0][0] != after[0][0]:
            self._raise("draws other random numbers", "not")
        for k, what in enumerate(("memory", "the statistics of an arm", "the statistics of a move class"), start=1):
            one, two = stored[k], after[k]
            off = np.flatnonzero(~np.isclose(one, two, TOLERANCE, TOLERANCE, equal_nan=True))
            if len(off):
                self._raise(f"sets {what} to {one[off[0]]:.6g}", f"to {two[off[0]]:.6g}")

    def _raise(self, compiled: str, plain: str, call: int = -1) -> None:
        line = self.recorded.function.__code__.co_firstlineno
        raise ContractViolation(
            "differs-compiled",
            f"{self.recorded.function.__name__} (line {line}) {compiled} when compiled, but {plain} in plain Python,"
            f" for {self.recorded.example(call)}; the usual causes are a global that changes and integer overflow",
            line=line,
        )


def _restore(stored: list[Any], before: list[Any]) -> None:
    for one, other in zip(stored, before, strict=True):
        one[:] = other
