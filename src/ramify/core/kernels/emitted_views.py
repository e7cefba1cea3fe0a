"""``array`` and ``record`` of ``pointers`` for the kernels of games: emitted where they are called.

The versions in ``pointers`` compile two functions for each type of view. Without them, 12 functions fewer are compiled
for nim. The search loop keeps them: with emitted views its machine code differs, and it was 2 % slower.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import lower_builtin, type_callable

from ramify.core.kernels import numba_internals, pointers


def array(address: int, count: int, dtype: Any) -> Any:
    """View ``count`` items of a plain ``dtype`` at ``address``."""
    return pointers.array(address, count, dtype)


def record(address: int, dtype: Any) -> Any:
    """View the record of ``dtype`` at ``address``; fields are attributes."""
    return pointers.record(address, dtype)


@type_callable(array)
def _array_type(context: Any) -> Callable[..., Any]:
    return lambda address, count, dtype: types.Array(dtype.dtype, 1, "C")


@lower_builtin(array, types.Integer, types.Integer, types.Any)  # type: ignore[untyped-decorator]
def _emit_array(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    return numba_internals.emit_array(context, builder, signature, values[0], values[1:-1])


@type_callable(record)
def _record_type(context: Any) -> Callable[..., Any]:
    return lambda address, dtype: dtype.dtype


@lower_builtin(record, types.Integer, types.Any)  # type: ignore[untyped-decorator]
def _emit_record(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    return builder.inttoptr(values[0], context.get_value_type(signature.return_type))
