"""A policy's kernels as plain Python around its author's functions, every answer examined.

Arrays are exactly as long as the author may think, so Python itself finds what reads or writes beyond them.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

import numpy as np

from ramify.agents.checking.comparison import Comparison, RecordedCalls
from ramify.contract.checking.call_timeout import CallTimeout, violation_from_error
from ramify.contract.checking.result import ContractViolation
from ramify.core.kernels.compiling import INTERPRETED, Kernel
from ramify.strategies.policy.policy import Policy, parameters
from ramify.strategies.policy.registry import Selection

KINDS = {str: "text", type(None): "nothing", np.ndarray: "an array", tuple: "a tuple"}


@dataclass(frozen=True)
class PlainPolicy(Policy):
    """The policy of an author, to be run by the engine's loop as plain Python.

    With ``compiled``, each of its kernels is also run compiled on the same memory, and must do the same.
    """

    watch: CallTimeout = field(compare=False, kw_only=True)
    addresses: list[int] = field(compare=False, kw_only=True, default_factory=list)
    compiled: Policy | None = field(compare=False, kw_only=True, default=None)

    @classmethod
    def from_policy(cls, policy: Policy, watch: CallTimeout, *, compiled: bool) -> PlainPolicy:
        """The plain form of a policy."""
        own = {one.name: getattr(policy, one.name) for one in fields(Policy)}
        return cls(**own, watch=watch, compiled=policy if compiled else None)

    @cached_property
    def kernel(self) -> Kernel:
        """The choice."""
        asked = RecordedCalls(self.function, (*self.quantities, *(one.name for one in self.constants)))
        examine = (
            self._examine_filled
            if self.fills_indices
            else self._examine_choice
            if self.returns_arm
            else self._examine_index
        )
        plain = self._plain(self._select(), asked, examine)
        if self.compiled is None:
            return plain
        return self._kernel(Comparison(asked, plain, self.compiled.kernel, self.compiled).choose)

    @cached_property
    def update_kernel(self) -> Kernel | None:
        """What it learns on the way up."""
        return self._learning_kernel("update", self.update)

    @cached_property
    def after_kernel(self) -> Kernel | None:
        """What it learns in the end."""
        return self._learning_kernel("after", self.after)

    def _learning_kernel(self, what: str, hook: Callable[..., Any] | None) -> Kernel | None:
        if hook is None:
            return None
        asked = RecordedCalls(hook, parameters(hook))
        plain = self._plain(self._learning_source(what, hook), asked, lambda _asked, _answer: None)
        other = None if self.compiled is None else getattr(self.compiled, f"{what}_kernel")
        return plain if other is None else self._kernel(Comparison(asked, plain, other, self).learn)

    def _plain(self, made: Any, asked: RecordedCalls, examine: Callable[[RecordedCalls, Any], None]) -> Kernel:
        """A kernel of plain Python; what its author's function gives is handed to ``examine``."""

        def function(*arguments: Any) -> Any:
            asked.calls.append(arguments)
            for one, name in zip(arguments, asked.names, strict=False):
                if name == "indices":
                    one[:] = np.nan
            try:
                answer = self.watch(made.function.__name__, self.file, made.function, *arguments)
            except ContractViolation:
                raise
            except Exception as error:  # noqa: BLE001  (whatever an author's code may raise)
                raise self._raised(error, asked) from None
            examine(asked, answer)
            return answer

        namespace = {**self._namespace(made), "function": function, "jit": lambda one: one}
        # A statistic of each player has a row for each, as long as there are nodes: an arm is among the first `count`.
        source = made.source.replace("players, stride, float64)", "players, stride, float64)[:, :count]")
        exec(compile(source, f"<{made.name}>", "exec"), namespace)  # noqa: S102
        return self._kernel(namespace[made.name])

    def _kernel(self, function: Callable[..., int]) -> Kernel:
        INTERPRETED[id(function)] = function
        self.addresses.append(id(function))
        return Kernel(id(function), function, function)

    def forget(self) -> None:
        """Its kernels are not needed any more."""
        for address in self.addresses:
            INTERPRETED.pop(address, None)

    def _raised(self, error: Exception, asked: RecordedCalls) -> ContractViolation:
        hint = ""
        if isinstance(error, IndexError):
            hint = "; compiled code would read or write there without a word"
        elif isinstance(error, ValueError | ZeroDivisionError) and ("math" in str(error) or "division" in str(error)):
            hint = "; compiled code would go on there with nan or infinity"
        flaw = violation_from_error(asked.function.__name__, error, self.file, hint)
        return ContractViolation(flaw.rule, f"{flaw.sentence}, for {asked}", line=flaw.line)

    def _examine_index(self, asked: RecordedCalls, answer: Any) -> None:
        self._number(asked, answer, "an index is a number")
        if np.isnan(answer):
            raise self._flaw("not-a-number", asked, "gives an index of nan", "an index is a number")

    def _examine_choice(self, asked: RecordedCalls, answer: Any) -> None:
        arms = len(next((one for one in asked.calls[-1] if isinstance(one, np.ndarray)), ())) or None
        given = dict(zip(asked.names, asked.calls[-1], strict=False))
        count = int(given["K"]) if "K" in given else arms
        right = f"arms are numbered from 0 to {count - 1}" if count else "an arm is a whole number"
        self._number(asked, answer, right)
        if answer != int(answer) if np.isfinite(answer) else True:
            raise self._flaw("no-such-arm", asked, f"chose arm {answer}", right)
        if answer < 0 or (count is not None and answer >= count):
            raise self._flaw("no-such-arm", asked, f"chose arm {int(answer)} of {count}", right)

    def _examine_filled(self, asked: RecordedCalls, _answer: Any) -> None:
        indices = dict(zip(asked.names, asked.calls[-1], strict=False))["indices"]
        missing = np.flatnonzero(np.isnan(indices))
        if len(missing):
            told = f"leaves indices[{missing[0]}] of {len(indices)} unwritten, or makes it nan"
            raise self._flaw("not-a-number", asked, told, "an index is a number")

    def _number(self, asked: RecordedCalls, answer: Any, right: str) -> None:
        if not isinstance(answer, int | float | np.integer | np.floating | np.bool_):
            named = "a complex number" if isinstance(answer, complex) else f"a {type(answer).__name__}"
            kind = KINDS.get(type(answer), named)
            raise self._flaw("not-a-number", asked, f"returns {kind}", right, example=False)

    def _flaw(
        self, rule: str, asked: RecordedCalls, wrong: str, right: str, *, example: bool = True
    ) -> ContractViolation:
        line = returned_at(asked.function, asked.calls[-1])
        code = linecache.getline(self.file, line).strip()
        told = f", for {asked}" if example else ""
        return ContractViolation(
            rule, f"{asked.function.__name__} {wrong} in line {line} (`{code}`){told}; {right}", line=line
        )


@dataclass(frozen=True)
class PlainSelection(Selection):
    """A selection whose policy is a plain one: nobody need try it first."""

    is_users = False
    plain: PlainPolicy = field(kw_only=True)

    @property
    def policy(self) -> Policy:
        """The plain policy."""
        return self.plain


def returned_at(function: Callable[..., Any], arguments: tuple[Any, ...]) -> int:
    """The line from which the function returns when it is asked the same again; its first one if it does not."""
    code, line = function.__code__, function.__code__.co_firstlineno

    def look(frame: Any, *_: object) -> Any:
        nonlocal line
        if frame.f_code is not code:
            return None
        line = frame.f_lineno
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        with suppress(Exception):
            function(*arguments)
    finally:
        sys.settrace(before)
    return line
