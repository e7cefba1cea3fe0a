"""Decorators that compile Python functions.

There are three:

* ``jit``: a helper; Python calls it as plain Python, compiled code inlines it;
* ``entry``: a function called from Python; cached on disk, releases the GIL;
* ``kernel``: a function called from compiled code by its *address* (an integer); cached on disk.

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
from ramify.core.kernels.disk_cache import disk_cache, is_generated
from ramify.core.kernels.kernel_names import kernel_name
from ramify.old_names import old_attributes

JIT = not numba.config.DISABLE_JIT

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True}
# Only compiled code calls helpers: they need no wrappers and no machine code, which take time to compile.
HELPER = {**OPTIONS, **numba_internals.WRAPPED_BY_NONE, "pipeline_class": numba_internals.HelperCompiler}
INLINED = {**HELPER, **numba_internals.INLINED}  # worth 15 to 20 % of a simulation
# For users' functions: an index out of bounds and division of an integer by zero raise errors.
CHECKED = {"boundscheck": True, "error_model": numba_internals.INTEGERS}
UNCHECKED = {"boundscheck": False, "error_model": "numpy"}
RAISING_ON_ZERO = {"error_model": "python"}  # division of a float by zero also raises one

# Address -> Python function, for kernels that run as plain Python: all if JIT is off, else those of a check.
INTERPRETED: dict[int, Callable[..., int]] = {}

Function = TypeVar("Function", bound=Callable[..., Any])

if not JIT:
    np.seterr(over="ignore")  # wrapping uint64 arithmetic is intended, as in compiled code


def is_users(function: Callable[..., Any]) -> bool:
    """Whether a function is written in a user's file: neither part of the package nor generated."""
    own = function.__module__ == "ramify" or function.__module__.startswith("ramify.")
    return not own and not is_generated(function.__code__.co_filename)


def jit(function: Function, **options: Any) -> Function:
    """Make a helper: plain Python when called from Python, inlined when called from compiled code.

    ``options``: more options of Numba. Users' functions are CHECKED.
    """
    checks = CHECKED if is_users(function) else {}
    made: Function = register_jitable(**{**INLINED, **checks, **options})(function)
    return made


def verb(function: Function) -> Any:
    """Make a helper that each class of shapes (NamedTuples) can override; ``function`` is the default version.

    The version is selected by the type of the first argument: in compiled code at compile time, in Python at the call.
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
    """Make a helper that allocates no arrays: it skips reference counting and takes half the time.

    It is optimized before it is inlined, which saves a sixth of the time of loops over draws.
    """
    made: Function = register_jitable(**OPTIONS, **numba_internals.WRAPPED_BY_NONE, **numba_internals.NO_REFCOUNTS)(
        function
    )
    return made


def entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that Python calls; cached on disk."""
    compiled: Callable[..., Any] = numba.njit(**OPTIONS)(function)
    if JIT:
        numba_internals.keep(compiled, disk_cache(function))
    return compiled


def entry_for(function: Callable[..., Any], kind: type, digest: str = "") -> Callable[..., Any]:
    """Compile an entry for one class of first arguments, with its own files in the cache.

    A signature shows the name of a class, but neither its module nor its sources. ``digest``: that of the sources of a
    class outside the core.
    """
    parts = (function.__name__, kind.__module__, kind.__qualname__, digest)
    name = kernel_name(*(part.replace(".", "_") for part in parts if part))
    copy = FunctionType(function.__code__, function.__globals__, name, function.__defaults__)
    copy.__qualname__ = copy.__name__
    copy.__module__ = function.__module__
    return entry(copy)


class Kernel:
    """A compiled function: compiled code calls its ``address``, Python calls the object."""

    def __init__(
        self, address: int, call: Callable[..., int], function: Callable[..., int], keep: object = None
    ) -> None:
        self.address = address
        self.call = call
        self.function = function  # as plain Python
        self.keep = keep  # owns the machine code behind the address

    def __call__(self, *arguments: int) -> int:
        return self.call(*arguments)


def kernel(function: Callable[..., int]) -> Kernel:
    """Compile ``function`` (integers in, an integer out); cached on disk."""
    if not JIT:
        return _interpreted(function)
    arity = function.__code__.co_argcount
    signature = types.int64(*[types.int64] * arity)
    options = {**OPTIONS, **numba_internals.INLINED, **(CHECKED if is_users(function) else {})}
    native = numba_internals.compile_native(function, signature, options, disk_cache(function))
    return Kernel(native.address, native_call(native.address, arity), function, native)


def native_call(address: int, arity: int) -> Callable[..., int]:
    """Return a Python callable for the compiled kernel at an address."""
    call = numba_internals.call_native(address, arity)

    def answer(*arguments: int) -> int:
        status, answer, exception = call(*arguments)
        if status:
            raise_again(status, exception)
        return answer

    return answer


def python_kernel(function: Callable[..., int], arity: int) -> Kernel:
    """Make a kernel of a Python function (0.2 us per call). Its negative address marks it for ``pointers.call``."""
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
    """Raise the exception of a kernel called from Python. ``exception``: address of Numba's description of it."""
    _raise_again(np.int32(status), np.int64(exception))


on_compilation = numba_internals.on_compilation
__getattr__ = old_attributes(__name__)
