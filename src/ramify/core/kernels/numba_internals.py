"""All that is used of Numba beyond its public API; nobody else imports from ``numba.core`` or uses private names.

Numba's minor version is pinned in pyproject.toml because of this file. What each name is for stands beside it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FunctionType
from typing import Any

from llvmlite import ir

# How to emit what llvmlite's builder has no word for. Numba's guide to intrinsics uses it; it is not in the API.
from numba.core import caching, cgutils, codegen, compiler, dispatcher, event, registry
from numba.core.callconv import excinfo_ptr_t
from numba.core.compiler_lock import global_compiler_lock

ADDRESS = cgutils.voidptr_t
EXCEPTION = excinfo_ptr_t  # where compiled code describes an exception
local_variable = cgutils.alloca_once
unlikely = cgutils.if_unlikely
copy_memory = cgutils.raw_memcpy
outer_function = cgutils.get_or_insert_function

# Options of Numba's compiler that its decorators take but do not document. Nothing but compiled code calls a helper: it
# needs no wrappers, which take time to compile.
WRAPPED_BY_NONE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
INLINED = {"forceinline": True}
NO_REFCOUNTS = {"_nrt": False}  # no references to arrays are counted, and no arrays made


class _InlinedLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of a helper, which is never called but becomes part of its callers.

    Numba would optimize it and make machine code of it, and do so again within every caller. Here it is only linked to
    the helpers that it calls itself; what is worth optimizing is optimized once, in the kernel.
    """

    def finalize(self) -> None:
        """Put the helpers in that this one calls."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is no machine code."""
        del name
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> _NullTarget:
        """Whom Numba tells of the function's environment, once there is machine code: here nobody."""
        return _NOBODY


class _NullTarget:
    def set_env(self, env_name: str, env: object) -> None:
        """Nothing to do: ``compile_native`` does it for the kernel that the helper becomes part of."""


_NOBODY = _NullTarget()


class HelperCompiler(compiler.Compiler):  # type: ignore[misc]
    """Numba's compiler, for helpers: the option ``pipeline_class`` of its decorators."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, library or _InlinedLibrary(target.codegen(), "helper"), *rest)


class Native:
    """A function compiled for Numba's native convention: it can be called by its address and has no wrapper."""

    def __init__(self, compiled: Any) -> None:
        self.compiled = compiled  # owns the machine code
        self.address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


@global_compiler_lock  # type: ignore[untyped-decorator]
def compile_native(function: Callable[..., int], signature: Any, options: dict[str, object], kept: Any) -> Native:
    """Compile a function, or load what an earlier process has ``kept``.

    Numba's own way to an address is a ``cfunc``: a C function around this one, which drops exceptions.
    """
    target = registry.cpu_target
    compiled = kept.load_overload(signature, target.target_context)
    if compiled is None:
        flags = {**options, **WRAPPED_BY_NONE, "nopython": True}
        compiled = dispatcher._FunctionCompiler(function, target, flags, {}, compiler.Compiler).compile(
            signature.args, signature.return_type
        )
        kept.save_overload(signature, compiled)
        # Where exceptions find their constants. Loading does the same; helpers, having no machine code, could not.
        for environment in compiled._find_referenced_environments():
            compiled.library.codegen.set_env(environment.env_name, environment)
    return Native(compiled)


def call_native(address: int, arity: int) -> Callable[..., tuple[int, int, int]]:
    """Call such a function of so many integers from Python: its status, its answer, and the exception's place or 0."""
    pointers, words = [ctypes.c_void_p] * 2, [ctypes.c_int64] * arity
    native = ctypes.CFUNCTYPE(ctypes.c_int32, *pointers, *words)(address)

    def call(*arguments: int) -> tuple[int, int, int]:
        answer, exception = ctypes.c_int64(), ctypes.c_void_p()
        status = native(ctypes.byref(answer), ctypes.byref(exception), *arguments)
        return status, answer.value, exception.value or 0

    return call


def emit_call(context: Any, builder: Any, address: Any, words: list[Any]) -> Any:
    """Code that calls such a function, and leaves the one it stands in when that one raises."""
    answer, exception = local_variable(builder, ir.IntType(64)), local_variable(builder, EXCEPTION)
    kind = ir.FunctionType(ir.IntType(32), [answer.type, exception.type, *(word.type for word in words)])
    status = builder.call(builder.inttoptr(address, kind.as_pointer()), [answer, exception, *words])
    emit_propagation(context, builder, status, builder.load(exception))
    return builder.load(answer)


def emit_propagation(context: Any, builder: Any, status: Any, exception: Any) -> None:
    """Code that leaves its function with an exception, if the status says that there is one."""
    with unlikely(builder, builder.icmp_signed("!=", status, status.type(0))):
        told = context.call_conv._get_return_status(builder, status, exception)
        context.call_conv.return_status_propagate(builder, told)


def emit_raise(context: Any, builder: Any, exception: type[Exception]) -> None:
    """Code that leaves its function with an exception."""
    context.call_conv.return_user_exc(builder, exception)


def keep(compiled: Any, kept: Any) -> None:
    """Have a function that ``numba.njit`` has made kept on disk; ``cache=True`` would choose the folder itself."""
    compiled._cache = kept


def disk_cache(folder: Callable[[str], Path], complain: Callable[[], object]) -> Callable[[Callable[..., Any]], Any]:
    """What tells where a function is kept: in the ``folder`` for its file; ``complain`` is called if it cannot be."""

    class OurFolder(caching.InTreeCacheLocator):  # type: ignore[misc]
        """Our folder, or none: the others that Numba would try know nothing of the sources that we compile in."""

        def __init__(self, py_func: FunctionType, py_file: str) -> None:
            super().__init__(py_func, py_file)
            self._cache_path = str(folder(py_file))

    class InOurFolder(caching.CompileResultCacheImpl):  # type: ignore[misc]
        """How Numba is told of the folder."""

        _locator_classes = (OurFolder,)

    class DiskCache(caching.FunctionCache):  # type: ignore[misc]
        """Numba's cache; a damaged file is a file that is not there, and a full disk costs time only."""

        _impl_class = InOurFolder

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            """The compiled function, or None."""
            try:
                return super().load_overload(sig, target_context)
            except Exception:  # noqa: BLE001  (reading back damaged bytes can raise anything)
                with suppress(OSError):
                    self.flush()
                return None

        def save_overload(self, sig: Any, data: Any) -> None:
            """Keep a compiled function."""
            try:
                super().save_overload(sig, data)
            except OSError:
                complain()

    class NoCache(caching.NullCache):  # type: ignore[misc]
        """Where nothing can be kept."""

        def save_overload(self, sig: Any, cres: Any) -> None:
            """Keep nothing."""
            complain()

    def kept(function: Callable[..., Any]) -> Any:
        try:
            return DiskCache(function)
        except (OSError, RuntimeError):  # Numba's ways to say that the folder will not do
            return NoCache()

    return kept


class _OnCompile(event.Listener):  # type: ignore[misc]
    """Calls ``tell`` whenever Numba starts to compile something, never when it loads from disk."""

    def __init__(self, tell: Callable[[], object]) -> None:
        self.tell = tell

    def on_start(self, event: Any) -> None:
        """Numba calls this at the start of every compiler pass."""
        if event.data.get("name", "").startswith("translate_bytecode"):
            self.tell()

    def on_end(self, event: Any) -> None:
        """Nothing to do."""


@contextmanager
def on_compilation(notify: Callable[[], object]) -> Iterator[None]:
    """Call ``notify()`` for each function compiled inside the block."""
    with event.install_listener("numba:run_pass", _OnCompile(notify)):
        yield
