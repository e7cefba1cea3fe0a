"""A policy's kernels, plain and compiled, on the same memory: they must do the same."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any

import numpy as np

from ramify.contract.checking.result import ContractViolation
from ramify.core.kernels.compiling import Kernel
from ramify.core.kernels.pointers import array, record
from ramify.strategies.policy.block_layout import BLOCK, CONSTANT_PREFIX, MEMORY, MEMORY_AT, block_type
from ramify.strategies.policy.policy import Policy, parameters

NEGLIGIBLE = 1e-9  # relative, between a number compiled and not: the last bits of exp and log may differ


class RecordedCalls:
    """What an author's function was asked in the kernel's last call, for examples."""

    def __init__(self, function: Callable[..., Any], names: tuple[str, ...]) -> None:
        self.function = function
        self.names = names  # of its parameters
        self.calls: list[tuple[Any, ...]] = []

    def example(self, call: int = -1) -> str:
        """The arguments of a call, in words."""
        given = zip(self.names, self.calls[call], strict=False)
        return ", ".join(f"{name}={shown(value)}" for name, value in given if name not in ("rng", "work", "indices"))

    def __str__(self) -> str:
        return self.example()


def shown(value: Any) -> str:
    """An argument, not too long."""
    if isinstance(value, np.ndarray):
        text = "[" + ", ".join(f"{number:.4g}" for number in value.ravel()[:8]) + (", ...]" if value.size > 8 else "]")
    else:
        text = f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)
    return text


class Comparison:
    """One kernel of a policy in both forms."""

    def __init__(self, asked: RecordedCalls, plain: Kernel, compiled: Kernel, policy: Policy) -> None:
        self.asked, self.plain, self.compiled, self.policy = asked, plain, compiled, policy

    def choose(self, children: int, count: int, visits: int, block: int) -> int:
        """Choose in plain Python, then compiled; the plain choice."""
        indices = array(record(block, BLOCK).scratch, self._considered(count, visits, block), np.float64)
        kept = self._kept(block)
        before = [one.copy() for one in kept]
        self.asked.calls.clear()
        plain = self.plain(children, count, visits, block)
        shown_plain, after = indices.copy(), [one.copy() for one in kept]
        _restore(kept, before)
        compiled = self.compiled(children, count, visits, block)
        if self.asked.calls:
            by_index = self.policy.fills_indices or not self.policy.returns_arm
            if by_index:
                self._same_indices(shown_plain, indices)
            elif plain != compiled:
                self._refuse(f"chooses arm {compiled}", f"arm {plain}")
            if plain == compiled:
                self._same(kept, after)
        _restore(kept, after)
        return plain

    def learn(self, *arguments: int) -> int:
        """Learn in plain Python, then compiled; the memory is left as plain Python left it."""
        kept = self._kept(arguments[-1])
        before = [one.copy() for one in kept]
        self.asked.calls.clear()
        answer = self.plain(*arguments)
        after = [one.copy() for one in kept]
        _restore(kept, before)
        self.compiled(*arguments)
        self._same(kept, after)
        _restore(kept, after)
        return answer

    def _considered(self, count: int, visits: int, block_: int) -> int:
        """How many of the arms the policy considers."""
        if self.policy.candidates is None:
            return count
        names = [constant.name for constant in self.policy.constants]
        block = record(block_, block_type(names, self.policy.columns))
        given = {name: float(getattr(block, CONSTANT_PREFIX + name)) for name in names}
        given |= {"N": max(float(visits), 1.0), "lnN": log(max(visits, 1)), "K": float(count)}
        wanted = self.policy.candidates(*(given[q] for q in parameters(self.policy.candidates)))
        return min(count, max(1, int(wanted)))

    def _kept(self, block_: int) -> list[Any]:
        """The generator, the policy's numbers for the search, those of every arm, and those by move class."""
        block = record(block_, BLOCK)
        numbers = self.policy.width(int(block.players)) * int(block.stride)
        return [
            array(block.rng, 1, np.uint64),
            array(block_ + MEMORY_AT, MEMORY, np.float64),
            array(block.kept + 8 * int(block.stride) * int(block.offset), numbers, np.float64),
            array(block.by_class, len(self.policy.tables) * int(block.classes), np.float64),
        ]

    def _same_indices(self, plain: Any, compiled: Any) -> None:
        """Refuse indices that differ by more than rounding."""
        off = np.flatnonzero(~np.isclose(compiled, plain, NEGLIGIBLE, NEGLIGIBLE, equal_nan=True))
        if len(off):
            arm = int(off[0])
            call = arm if len(self.asked.calls) == len(plain) else -1
            self._refuse(f"gives arm {arm} the index {compiled[arm]:.6g}", f"{plain[arm]:.6g}", call)

    def _same(self, kept: list[Any], after: list[Any]) -> None:
        """Refuse other draws, or other statistics."""
        if kept[0][0] != after[0][0]:
            self._refuse("draws other random numbers", "not so")
        for k, what in enumerate(("memory", "the statistics of an arm", "the statistics of a move class"), start=1):
            one, two = kept[k], after[k]
            off = np.flatnonzero(~np.isclose(one, two, NEGLIGIBLE, NEGLIGIBLE, equal_nan=True))
            if len(off):
                self._refuse(f"makes {what} {one[off[0]]:.6g}", f"{two[off[0]]:.6g}")

    def _refuse(self, compiled: str, plain: str, call: int = -1) -> None:
        line = self.asked.function.__code__.co_firstlineno
        raise ContractViolation(
            "differs-compiled",
            f"{self.asked.function.__name__} (line {line}) {compiled} compiled, but {plain} as plain Python, for"
            f" {self.asked.example(call)}; the usual causes are a global that changes and whole numbers that overflow",
            line=line,
        )


def _restore(kept: list[Any], before: list[Any]) -> None:
    for one, other in zip(kept, before, strict=True):
        one[:] = other
