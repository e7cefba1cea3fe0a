"""Integer addresses as records, arrays and functions, in compiled and in plain Python.

Kernels and the engine talk in integers only: a call through an address costs about 2 ns, and functions whose
arguments are integers are found in the on-disk cache by the next process (docs/architecture.md). Each function here
is written twice: as Python runs it, and as it is compiled.
"""

import ctypes

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from ramify.core.kernels.compiling import HELPER, INTERPRETED
from ramify.core.kernels.records import record_type

_WORD = ir.IntType(64)


def call(function, arguments):
    """Call the kernel at address ``function`` with a tuple of integers."""
    return INTERPRETED[int(function)](*arguments)


def copy_bytes(target, source, count):
    """Copy ``count`` bytes from one address to another."""
    ctypes.memmove(int(target), int(source), int(count))


def array(address, count, dtype):
    """The ``count`` items of a plain ``dtype`` at ``address``."""
    dtype = np.dtype(dtype)
    memory = (ctypes.c_char * (int(count) * dtype.itemsize)).from_address(int(address))
    return np.ndarray(int(count), dtype, memory)


def table(address, rows, columns, dtype):
    """The ``rows`` times ``columns`` items of a plain ``dtype`` at ``address``, row after row."""
    return array(address, rows * columns, dtype).reshape(rows, columns)


def records(address, count, dtype):
    """The ``count`` records of ``dtype`` at ``address``; an item's fields are its attributes."""
    return array(address, count, record_type(dtype))


def record(address, dtype):
    """The record of ``dtype`` at ``address``; its fields are attributes."""
    return records(address, 1, dtype)[0]


@intrinsic
def _pointer(typingctx, address):
    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(types.int64), generate


@intrinsic
def _call(typingctx, function, arguments):
    count = len(arguments)

    def generate(context, builder, signature, values):
        words = [builder.extract_value(values[1], k) for k in range(count)]
        answer, error = cgutils.alloca_once(builder, _WORD), cgutils.alloca_once(builder, cgutils.voidptr_t)
        with builder.if_else(builder.icmp_signed("<", values[0], _WORD(0)), likely=False) as (python, compiled):
            with python:
                kind = ir.FunctionType(_WORD, [_WORD] * count)
                target = builder.inttoptr(builder.neg(values[0]), kind.as_pointer())
                builder.store(builder.call(target, words), answer)
            with compiled:  # Numba's convention: the answer and an error go to the first two. Kernels do not raise.
                kind = ir.FunctionType(ir.IntType(32), [answer.type, error.type] + [_WORD] * count)
                builder.call(builder.inttoptr(values[0], kind.as_pointer()), [answer, error, *words])
        return builder.load(answer)

    return types.int64(types.int64, types.UniTuple(types.int64, count)), generate


@intrinsic
def _copy_bytes(typingctx, target, source, count):
    def generate(context, builder, signature, arguments):
        to, origin = (builder.inttoptr(address, cgutils.voidptr_t) for address in arguments[:2])
        cgutils.raw_memcpy(builder, to, origin, arguments[2], 1)
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.int64), generate


@overload(call, jit_options=HELPER)
def _call_compiled(function, arguments):
    return lambda function, arguments: _call(function, arguments)


@overload(copy_bytes, jit_options=HELPER)
def _copy_bytes_compiled(target, source, count):
    return lambda target, source, count: _copy_bytes(target, source, count)


def _array_compiled(address, count, dtype):
    return lambda address, count, dtype: carray(_pointer(address), (count,), dtype)


overload(array, jit_options=HELPER)(_array_compiled)
overload(records, jit_options=HELPER)(_array_compiled)


@overload(table, jit_options=HELPER)
def _table_compiled(address, rows, columns, dtype):
    return lambda address, rows, columns, dtype: carray(_pointer(address), (rows, columns), dtype)


@overload(record, jit_options=HELPER)
def _record_compiled(address, dtype):
    return lambda address, dtype: carray(_pointer(address), (1,), dtype)[0]
