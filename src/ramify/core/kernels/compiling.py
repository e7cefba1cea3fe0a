"""How Python becomes machine code here.

Three decorators cover everything compiled:

* ``jit``: a helper, plain Python for Python, compiled into whatever compiled code calls it;
* ``entry``: a function called from Python, kept on disk, releases the GIL;
* ``kernel``: a function called from compiled code through its *address* (an integer), kept on disk.

With ``NUMBA_DISABLE_JIT=1`` all three leave the function as plain Python, and an address is a key of ``INTERPRETED``.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic, overload, register_jitable

from ramify.core.kernels import numba_internals
from ramify.core.kernels.disk_cache import disk_cache

JIT = not numba.config.DISABLE_JIT

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}
# Helpers are called by compiled code only: no wrappers for others and no machine code, which take time to compile.
HELPER = {**OPTIONS, **numba_internals.WRAPPED_BY_NONE, "pipeline_class": numba_internals.HelperCompiler}
INLINED = {**HELPER, **numba_internals.INLINED}  # worth 15 to 20 % of a simulation

# Address -> Python function, for what runs as plain Python: everything when JIT is off, else a rehearsal.
INTERPRETED: dict[int, Callable[..., int]] = {}

Function = TypeVar("Function", bound=Callable[..., Any])

if not JIT:
    np.seterr(over="ignore")  # wrapping uint64 arithmetic is intended, as in compiled code


def jit(function: Function) -> Function:
    """A helper: plain Python when Python calls it, compiled into whatever compiled code calls it."""
    made: Function = register_jitable(**INLINED)(function)
    return made


def verb(function: Function) -> Any:
    """A helper of which a class of shapes, NamedTuples, may have its own version; ``function`` is for all others.

    Compiled code chooses by the type of the first argument, while it is compiled; plain Python by its class.
    """
    own: dict[type, Callable[..., Any]] = {}

    def version(kind: type) -> Callable[..., Any]:
        return next((own[one] for one in kind.__mro__ if one in own), function)

    @wraps(function)
    def act(shape: Any, *rest: Any) -> Any:
        return version(type(shape))(shape, *rest)

    @overload(act, jit_options=INLINED, strict=False)
    def compiled(shape: Any, *rest: Any) -> Any:
        del rest
        return version(shape.instance_class)

    def of(kind: type) -> Callable[[Function], Function]:
        def register(one: Function) -> Function:
            own[kind] = one
            return one

        return register

    act.of = of  # type: ignore[attr-defined]
    return act


def jit_without_refcounts(function: Function) -> Function:
    """A helper that makes no arrays: it counts no references to those it is given, and takes half the time.

    It is optimized by itself, before it becomes part of its callers: loops over draws take a sixth less time so.
    """
    made: Function = register_jitable(**OPTIONS, **numba_internals.WRAPPED_BY_NONE, **numba_internals.NO_REFCOUNTS)(
        function
    )
    return made


def entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that Python calls; kept on disk."""
    compiled: Callable[..., Any] = numba.njit(**OPTIONS)(function)
    if JIT:
        numba_internals.keep(compiled, disk_cache(function))
    return compiled


def entry_for(function: Callable[..., Any], kind: type, digest: str = "") -> Callable[..., Any]:
    """An entry for one class of first arguments, kept on disk in files of its own.

    An index of Numba's cache names the classes of all signatures in it: a shared one would import every class, and be
    lost where one of them cannot be imported. ``digest`` is that of the sources behind a class that is not the core's.
    """
    name = "_".join(part for part in (function.__name__, kind.__module__, kind.__qualname__, digest) if part)
    copy = FunctionType(function.__code__, function.__globals__, name.replace(".", "_"), function.__defaults__)
    copy.__qualname__ = copy.__name__
    copy.__module__ = function.__module__
    return entry(copy)


class Kernel:
    """A function compiled code can call by ``address`` and Python by calling it."""

    def __init__(
        self, address: int, call: Callable[..., int], function: Callable[..., int], keep: object = None
    ) -> None:
        self.address = address
        self.call = call
        self.function = function  # as plain Python
        self.keep = keep  # owns the machine code behind the address

    def __call__(self, *arguments: int) -> int:
        """Call it from Python."""
        return self.call(*arguments)


def kernel(function: Callable[..., int]) -> Kernel:
    """Compile ``function`` (integers in, an integer out) and return its address; kept on disk."""
    if not JIT:
        return _interpreted(function)
    arity = function.__code__.co_argcount
    signature = types.int64(*[types.int64] * arity)
    options = {**OPTIONS, **numba_internals.INLINED}
    native = numba_internals.compile_native(function, signature, options, disk_cache(function))
    return Kernel(native.address, native_call(native.address, arity), function, native)


def native_call(address: int, arity: int) -> Callable[..., int]:
    """The compiled kernel at an address, for Python to call."""
    call = numba_internals.call_native(address, arity)

    def answer(*arguments: int) -> int:
        status, answer, exception = call(*arguments)
        if status:
            raise_again(status, exception)
        return answer

    return answer


def python_kernel(function: Callable[..., int], arity: int) -> Kernel:
    """A Python function as a kernel (0.2 us a call); `core.kernels.pointers.call` knows it by its negative address."""
    if not JIT:
        return _interpreted(function)
    callback = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arity)(function)
    return Kernel(-(ctypes.cast(callback, ctypes.c_void_p).value or 0), function, function, callback)


def _interpreted(function: Callable[..., int]) -> Kernel:
    INTERPRETED[id(function)] = function
    return Kernel(id(function), function, function)


@intrinsic  # type: ignore[misc]
def _raise_again(typingctx: Any, status: Any, exception: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        place = builder.inttoptr(values[1], numba_internals.EXCEPTION)
        numba_internals.emit_propagation(context, builder, values[0], place)
        return context.get_dummy_value()

    return types.none(types.int32, types.int64), generate


@entry
def raise_again(status: int, exception: int) -> None:
    """Raise what a kernel called from Python has raised: its status, and where Numba has put the exception."""
    _raise_again(np.int32(status), np.int64(exception))


on_compilation = numba_internals.on_compilation
