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
from numba.core.callconv import excinfo_ptr_t
from numba.extending import intrinsic, overload

from ramify.core.kernels.compiling import HELPER, INTERPRETED, entry

_WORD = ir.IntType(64)
FAILED = -(1 << 63)  # what a Python kernel answers when it has failed, in place of an exception


class KernelFailedError(Exception):
    """A Python kernel has failed; whoever made the kernel knows why."""


def address(array) -> int:
    """Where an array's first byte is."""
    return int(array.ctypes.data)


def call(function, arguments):
    """Call the kernel at address ``function`` with a tuple of integers. What it raises is raised here."""
    answer = INTERPRETED[int(function)](*arguments)
    if answer == FAILED:
        raise KernelFailedError
    return answer


def copy_bytes(target, source, count):
    """Copy ``count`` bytes from one address to another."""
    ctypes.memmove(int(target), int(source), int(count))


def array(address, count, dtype):
    """The ``count`` items of a plain ``dtype`` at ``address``."""
    return carray(ctypes.c_void_p(int(address)), (count,), dtype)


def table(address, rows, columns, dtype):
    """The ``rows`` times ``columns`` items of a plain ``dtype`` at ``address``, row after row."""
    return carray(ctypes.c_void_p(int(address)), (rows, columns), dtype)


def records(address, count, dtype):
    """The ``count`` records of ``dtype`` at ``address``; an item's fields are its attributes."""
    return array(address, count, dtype).view(np.recarray)


def record(address, dtype):
    """The record of ``dtype`` at ``address``; its fields are attributes."""
    return records(address, 1, dtype)[0]


@intrinsic
def _pointer(typingctx, address):
    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(types.int64), generate


def _propagate(context, builder, code, exception):
    """Return to the caller, with the exception, if the status says that there is one."""
    with cgutils.if_unlikely(builder, builder.icmp_signed("!=", code, code.type(0))):
        status = context.call_conv._get_return_status(builder, code, exception)
        context.call_conv.return_status_propagate(builder, status)


@intrinsic
def _raise_again(typingctx, code, exception):
    def generate(context, builder, signature, values):
        _propagate(context, builder, values[0], builder.inttoptr(values[1], excinfo_ptr_t))
        return context.get_dummy_value()

    return types.none(types.int32, types.int64), generate


@entry
def raise_again(code, exception):
    """Raise what a kernel called from Python has raised: its status, and where Numba has put the exception."""
    _raise_again(np.int32(code), np.int64(exception))


@intrinsic
def _call(typingctx, function, arguments):
    count = len(arguments)

    def generate(context, builder, signature, values):
        words = [builder.extract_value(values[1], k) for k in range(count)]
        answer, exception = cgutils.alloca_once(builder, _WORD), cgutils.alloca_once(builder, excinfo_ptr_t)
        with builder.if_else(builder.icmp_signed("<", values[0], _WORD(0)), likely=False) as (python, compiled):
            with python:
                kind = ir.FunctionType(_WORD, [_WORD] * count)
                target = builder.inttoptr(builder.neg(values[0]), kind.as_pointer())
                told = builder.call(target, words)
                builder.store(told, answer)
                with cgutils.if_unlikely(builder, builder.icmp_signed("==", told, _WORD(FAILED))):
                    context.call_conv.return_user_exc(builder, KernelFailedError)
            with compiled:  # Numba's convention: pointers to the answer and to an exception, then the arguments.
                kind = ir.FunctionType(ir.IntType(32), [answer.type, exception.type] + [_WORD] * count)
                code = builder.call(builder.inttoptr(values[0], kind.as_pointer()), [answer, exception, *words])
                _propagate(context, builder, code, builder.load(exception))
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
