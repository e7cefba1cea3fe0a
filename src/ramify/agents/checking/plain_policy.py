"""A policy's kernels in plain Python, with every return value of the user's functions checked.

Arrays have exactly the documented length, so Python raises IndexError for reads and writes out of bounds.
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

TYPE_NAMES = {str: "a string", type(None): "None", np.ndarray: "an array", tuple: "a tuple"}


@dataclass(frozen=True)
class PlainPolicy(Policy):
    """A user's policy that the search loop runs in plain Python.

    With ``compiled``, each kernel is also run compiled on the same memory, and the results must be equal.
    """

    timeout: CallTimeout = field(compare=False, kw_only=True)
    addresses: list[int] = field(compare=False, kw_only=True, default_factory=list)
    compiled: Policy | None = field(compare=False, kw_only=True, default=None)

    @classmethod
    def from_policy(cls, policy: Policy, timeout: CallTimeout, *, compiled: bool) -> PlainPolicy:
        """Return the plain form of a policy."""
        values = {one.name: getattr(policy, one.name) for one in fields(Policy)}
        return cls(**values, timeout=timeout, compiled=policy if compiled else None)

    @cached_property
    def kernel(self) -> Kernel:
        """Selection kernel."""
        recorded = RecordedCalls(self.function, (*self.quantities, *(one.name for one in self.constants)))
        check = self._check_filled if self.fills_indices else self._check_arm if self.returns_arm else self._check_index
        plain = self._plain(self._select(), recorded, check)
        if self.compiled is None:
            return plain
        return self._kernel(Comparison(recorded, plain, self.compiled.kernel, self.compiled).choose)

    @cached_property
    def update_kernel(self) -> Kernel | None:
        """Kernel of ``update``, called during backpropagation."""
        return self._learning_kernel("update", self.update)

    @cached_property
    def after_kernel(self) -> Kernel | None:
        """Kernel of ``after``, called at the end of a simulation."""
        return self._learning_kernel("after", self.after)

    def _learning_kernel(self, what: str, hook: Callable[..., Any] | None) -> Kernel | None:
        if hook is None:
            return None
        recorded = RecordedCalls(hook, parameters(hook))
        plain = self._plain(self._learning_source(what, hook), recorded, lambda _recorded, _answer: None)
        other = None if self.compiled is None else getattr(self.compiled, f"{what}_kernel")
        return plain if other is None else self._kernel(Comparison(recorded, plain, other, self).learn)

    def _plain(self, made: Any, recorded: RecordedCalls, check: Callable[[RecordedCalls, Any], None]) -> Kernel:
        """Return a plain Python kernel; ``check`` gets every return value of the user's function."""

        def function(*arguments: Any) -> Any:
            recorded.calls.append(arguments)
            for one, name in zip(arguments, recorded.names, strict=False):
                if name == "indices":
                    one[:] = np.nan
            try:
                answer = self.timeout(made.function.__name__, self.file, made.function, *arguments)
            except ContractViolation:
                raise
            except Exception as error:  # noqa: BLE001  (a user's code may raise anything)
                raise self._violation_from_error(error, recorded) from None
            check(recorded, answer)
            return answer

        namespace = {**self._namespace(made), "function": function, "jit": lambda one: one}
        # Per-player statistics have one row per player with an entry per node; the arms are the first `count` entries.
        source = made.source.replace("players, stride, float64)", "players, stride, float64)[:, :count]")
        exec(compile(source, f"<{made.name}>", "exec"), namespace)  # noqa: S102
        return self._kernel(namespace[made.name])

    def _kernel(self, function: Callable[..., int]) -> Kernel:
        INTERPRETED[id(function)] = function
        self.addresses.append(id(function))
        return Kernel(id(function), function, function)

    def clear(self) -> None:
        """Unregister the kernels."""
        for address in self.addresses:
            INTERPRETED.pop(address, None)

    def _violation_from_error(self, error: Exception, recorded: RecordedCalls) -> ContractViolation:
        hint = ""
        if isinstance(error, IndexError):
            hint = "; compiled code would read or write out of bounds without an error"
        elif isinstance(error, ValueError | ZeroDivisionError) and ("math" in str(error) or "division" in str(error)):
            hint = "; compiled code would continue with nan or infinity"
        violation = violation_from_error(recorded.function.__name__, error, self.file, hint)
        return ContractViolation(violation.rule, f"{violation.sentence}, for {recorded}", line=violation.line)

    def _check_index(self, recorded: RecordedCalls, answer: Any) -> None:
        self._check_number(recorded, answer, "an index must be a number")
        if np.isnan(answer):
            raise self._violation("not-a-number", recorded, "returns nan", "an index must be a number")

    def _check_arm(self, recorded: RecordedCalls, answer: Any) -> None:
        arms = len(next((one for one in recorded.calls[-1] if isinstance(one, np.ndarray)), ())) or None
        given = dict(zip(recorded.names, recorded.calls[-1], strict=False))
        count = int(given["K"]) if "K" in given else arms
        right = f"arms are numbered from 0 to {count - 1}" if count else "an arm must be an integer"
        self._check_number(recorded, answer, right)
        if answer != int(answer) if np.isfinite(answer) else True:
            raise self._violation("no-such-arm", recorded, f"chose arm {answer}", right)
        if answer < 0 or (count is not None and answer >= count):
            raise self._violation("no-such-arm", recorded, f"chose arm {int(answer)} of {count}", right)

    def _check_filled(self, recorded: RecordedCalls, _answer: Any) -> None:
        indices = dict(zip(recorded.names, recorded.calls[-1], strict=False))["indices"]
        missing = np.flatnonzero(np.isnan(indices))
        if len(missing):
            wrong = f"does not write indices[{missing[0]}] of {len(indices)}, or sets it to nan"
            raise self._violation("not-a-number", recorded, wrong, "an index must be a number")

    def _check_number(self, recorded: RecordedCalls, answer: Any, right: str) -> None:
        if not isinstance(answer, int | float | np.integer | np.floating | np.bool_):
            named = "a complex number" if isinstance(answer, complex) else f"a {type(answer).__name__}"
            kind = TYPE_NAMES.get(type(answer), named)
            raise self._violation("not-a-number", recorded, f"returns {kind}", right, example=False)

    def _violation(
        self, rule: str, recorded: RecordedCalls, wrong: str, right: str, *, example: bool = True
    ) -> ContractViolation:
        line = return_line(recorded.function, recorded.calls[-1])
        code = linecache.getline(self.file, line).strip()
        arguments = f", for {recorded}" if example else ""
        return ContractViolation(
            rule, f"{recorded.function.__name__} {wrong} in line {line} (`{code}`){arguments}; {right}", line=line
        )


@dataclass(frozen=True)
class PlainSelection(Selection):
    """A selection with a plain policy; it needs no precheck."""

    is_users = False
    plain: PlainPolicy = field(kw_only=True)

    @property
    def policy(self) -> Policy:
        return self.plain


def return_line(function: Callable[..., Any], arguments: tuple[Any, ...]) -> int:
    """Call the function again and return the line from which it returns; its first line if it does not."""
    code, line = function.__code__, function.__code__.co_firstlineno

    def trace(frame: Any, *_: object) -> Any:
        nonlocal line
        if frame.f_code is not code:
            return None
        line = frame.f_lineno
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with suppress(Exception):
            function(*arguments)
    finally:
        sys.settrace(before)
    return line
