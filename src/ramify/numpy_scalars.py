"""NumPy's scalars and arrays without dimensions as arguments: they count as the Python values that they hold.

Arguments are converted where they enter the public API. Without this, ``np.int64`` would fail in ``json`` and in checks
of types, and ``np.bool_`` would count as text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def plain(value: Any) -> Any:
    """Return the Python value of a NumPy scalar; anything else unchanged. Does not import NumPy."""
    return value.item() if type(value).__module__ == "numpy" and getattr(value, "shape", None) == () else value


def accepting_numpy(function: Callable[P, R]) -> Callable[P, R]:
    """Convert the arguments of a public function."""

    @wraps(function)
    def with_plain_arguments(*given: P.args, **named: P.kwargs) -> R:
        return function(*map(plain, given), **{name: plain(value) for name, value in named.items()})

    return with_plain_arguments
