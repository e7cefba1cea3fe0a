"""Integer addresses as records, arrays and functions, in compiled and in plain Python.

Kernels take and return only integers: a call by address costs about 2 ns, and functions with integer arguments can be
cached on disk (docs/architecture.md). Each function here has two versions, one for plain Python and one for compiled
code (without annotations, which Numba does not accept there).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic, overload

from ramify.core.kernels import numba_internals
from ramify.core.kernels.compiling import HELPER, INTERPRETED, native_call
from ramify.core.kernels.records import record_type

_WORD = ir.IntType(64)
FAILED = -(1 << 63)  # return value of a Python kernel that has failed


class KernelFailedError(Exception):
    """A Python kernel has failed; its owner has the exception."""


def address(array: Any) -> int:
    """Return the address of an array's first byte."""
    return int(array.ctypes.data)


def call(function: int, arguments: tuple[int, ...]) -> int:
    """Call the kernel at address ``function`` with a tuple of integers. Its exceptions propagate."""
    known = INTERPRETED.get(int(function)) or _compiled(int(function), len(arguments))
    answer = known(*(int(argument) for argument in arguments))
    if answer == FAILED:
        raise KernelFailedError
    return answer


@cache
def _compiled(function: int, arity: int) -> Callable[..., int]:
    """Return a callable for a compiled kernel, or for a Python callback (negative address, no status)."""
    if function > 0:
        return native_call(function, arity)
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arity)(-function)


def copy_bytes(target: int, source: int, count: int) -> None:
    """Copy ``count`` bytes from one address to another."""
    ctypes.memmove(int(target), int(source), int(count))


def array(address: int, count: int, dtype: Any) -> Any:
    """View ``count`` items of a plain ``dtype`` at ``address``."""
    dtype = np.dtype(dtype)
    memory = (ctypes.c_char * (int(count) * dtype.itemsize)).from_address(int(address))
    return np.ndarray(int(count), dtype, memory)


def table(address: int, rows: int, columns: int, dtype: Any) -> Any:
    """View ``rows`` x ``columns`` items of a plain ``dtype`` at ``address``, row-major."""
    return array(address, rows * columns, dtype).reshape(rows, columns)


def records(address: int, count: int, dtype: Any) -> Any:
    """View ``count`` records of ``dtype`` at ``address``; fields are attributes."""
    return array(address, count, record_type(dtype))


def record(address: int, dtype: Any) -> Any:
    """View the record of ``dtype`` at ``address``; fields are attributes."""
    return records(address, 1, dtype)[0]


@intrinsic
def _pointer(typingctx: Any, address: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], numba_internals.ADDRESS)

    return types.voidptr(types.int64), generate


@intrinsic
def _call(typingctx: Any, function: Any, arguments: Any) -> Any:
    count = len(arguments)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        words = [builder.extract_value(values[1], k) for k in range(count)]
        answer = numba_internals.local_variable(builder, _WORD)
        with builder.if_else(builder.icmp_signed("<", values[0], _WORD(0)), likely=False) as (python, compiled):
            with python:
                kind = ir.FunctionType(_WORD, [_WORD] * count)
                returned = builder.call(builder.inttoptr(builder.neg(values[0]), kind.as_pointer()), words)
                with numba_internals.unlikely(builder, builder.icmp_signed("==", returned, _WORD(FAILED))):
                    numba_internals.emit_raise(context, builder, KernelFailedError)
                builder.store(returned, answer)
            with compiled:
                builder.store(numba_internals.emit_call(context, builder, values[0], words), answer)
        return builder.load(answer)

    return types.int64(types.int64, types.UniTuple(types.int64, count)), generate


@intrinsic
def _copy_bytes(typingctx: Any, target: Any, source: Any, count: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        to, origin = (builder.inttoptr(address, numba_internals.ADDRESS) for address in arguments[:2])
        numba_internals.copy_memory(builder, to, origin, arguments[2], 1)
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.int64), generate


@overload(call, jit_options=HELPER)
def _call_compiled(function, arguments):  # type: ignore[no-untyped-def]
    return lambda function, arguments: _call(function, arguments)


@overload(copy_bytes, jit_options=HELPER)
def _copy_bytes_compiled(target, source, count):  # type: ignore[no-untyped-def]
    return lambda target, source, count: _copy_bytes(target, source, count)


def _array_compiled(address, count, dtype):  # type: ignore[no-untyped-def]
    return lambda address, count, dtype: carray(_pointer(address), (count,), dtype)


overload(array, jit_options=HELPER)(_array_compiled)
overload(records, jit_options=HELPER)(_array_compiled)


@overload(table, jit_options=HELPER)
def _table_compiled(address, rows, columns, dtype):  # type: ignore[no-untyped-def]
    return lambda address, rows, columns, dtype: carray(_pointer(address), (rows, columns), dtype)


@overload(record, jit_options=HELPER)
def _record_compiled(address, dtype):  # type: ignore[no-untyped-def]
    return lambda address, dtype: carray(_pointer(address), (1,), dtype)[0]
