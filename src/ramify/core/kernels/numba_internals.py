"""Everything beyond Numba's public API. No other file imports from ``numba.core`` or uses private names.

Numba's minor version is pinned in pyproject.toml because of this file.
"""

from __future__ import annotations

import ctypes
import hashlib
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

from llvmlite import ir

# Helpers to emit LLVM code. Numba's guide to intrinsics uses cgutils, but it is not part of the API.
from numba.core import caching, callconv, cgutils, codegen, compiler, dispatcher, event, registry, types, typing
from numba.core.compiler_lock import global_compiler_lock
from numba.core.serialize import dumps
from numba.np import arrayobj

from ramify.core.kernels import checked_files

ADDRESS = cgutils.voidptr_t
EXCEPTION = callconv.excinfo_ptr_t  # where compiled code describes an exception
local_variable = cgutils.alloca_once
unlikely = cgutils.if_unlikely
copy_memory = cgutils.raw_memcpy
outer_function = cgutils.get_or_insert_function

# Undocumented options of Numba's decorators. Only compiled code calls helpers, so they need no wrappers, which take
# time to compile.
WRAPPED_BY_NONE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
INLINED = {"forceinline": True}
NO_REFCOUNTS = {"_nrt": False}  # no reference counting; arrays cannot be allocated


class _RaisingOnIntegers(callconv.NumpyErrorModel):  # type: ignore[misc]
    """Division by zero: an integer's raises ZeroDivisionError, a float's is infinite or NaN."""

    def fp_zero_division(self, builder: Any, exc_args: tuple[str, ...] | None = None, loc: Any = None) -> bool:
        """Emit the exception for integers, which Numba names in its message. Return whether it was emitted."""
        if not (exc_args and exc_args[0].startswith("integer")):
            return False
        self.call_conv.return_user_exc(builder, ZeroDivisionError, exc_args, loc)
        return True


INTEGERS = "integers"  # name of this error model
callconv.error_models[INTEGERS] = _RaisingOnIntegers


class _InlinedLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The code of a helper, which is always inlined into its callers.

    Numba would optimize it and generate machine code, and do so again within every caller. Here it is only linked with
    the helpers it calls. Optimization happens once, in the kernel.
    """

    def finalize(self) -> None:
        """Link the helpers that this one calls."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: helpers have no machine code."""
        del name
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> _NullTarget:
        """Return a target that ignores the function's environment, which only machine code needs."""
        return _NULL_TARGET


class _NullTarget:
    def set_env(self, env_name: str, env: object) -> None:
        """Ignore: ``compile_native`` sets the environments of the kernel that inlines the helper."""


_NULL_TARGET = _NullTarget()


class HelperCompiler(compiler.Compiler):  # type: ignore[misc]
    """Numba's compiler for helpers; passed as ``pipeline_class`` to its decorators."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, library or _InlinedLibrary(target.codegen(), "helper"), *rest)


class Native:
    """A function compiled for Numba's native calling convention: called by address, without a wrapper."""

    def __init__(self, compiled: Any) -> None:
        self.compiled = compiled  # owns the machine code
        self.address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


@global_compiler_lock  # type: ignore[untyped-decorator]
def compile_native(function: Callable[..., int], signature: Any, options: dict[str, object], kept: Any) -> Native:
    """Compile a function, or load it from the cache ``kept``.

    Numba's own way to an address is ``cfunc``, a C wrapper that drops exceptions.
    """
    target = registry.cpu_target
    compiled = kept.load_overload(signature, target.target_context)
    if compiled is None:
        flags = {**options, **WRAPPED_BY_NONE, "nopython": True}
        compiled = dispatcher._FunctionCompiler(function, target, flags, {}, compiler.Compiler).compile(
            signature.args, signature.return_type
        )
        kept.save_overload(signature, compiled)
        # Exceptions find their constants in the environments. Loading sets them too; helpers cannot (no machine code).
        for environment in compiled._find_referenced_environments():
            compiled.library.codegen.set_env(environment.env_name, environment)
    return Native(compiled)


def call_native(address: int, arity: int) -> Callable[..., tuple[int, int, int]]:
    """Return a Python callable for a native function. It returns status, answer and the exception's address or 0."""
    pointers, words = [ctypes.c_void_p] * 2, [ctypes.c_int64] * arity
    native = ctypes.CFUNCTYPE(ctypes.c_int32, *pointers, *words)(address)

    def call(*arguments: int) -> tuple[int, int, int]:
        answer, exception = ctypes.c_int64(), ctypes.c_void_p()
        status = native(ctypes.byref(answer), ctypes.byref(exception), *arguments)
        return status, answer.value, exception.value or 0

    return call


def emit_call(context: Any, builder: Any, address: Any, words: list[Any]) -> Any:
    """Emit a call of a native function; an exception propagates to the caller."""
    answer, exception = local_variable(builder, ir.IntType(64)), local_variable(builder, EXCEPTION)
    kind = ir.FunctionType(ir.IntType(32), [answer.type, exception.type, *(word.type for word in words)])
    status = builder.call(builder.inttoptr(address, kind.as_pointer()), [answer, exception, *words])
    emit_propagation(context, builder, status, builder.load(exception))
    return builder.load(answer)


def emit_propagation(context: Any, builder: Any, status: Any, exception: Any) -> None:
    """Emit code that returns with the exception if ``status`` signals one."""
    with unlikely(builder, builder.icmp_signed("!=", status, status.type(0))):
        propagated = context.call_conv._get_return_status(builder, status, exception)
        context.call_conv.return_status_propagate(builder, propagated)


def emit_raise(context: Any, builder: Any, exception: type[Exception]) -> None:
    """Emit code that raises an exception."""
    context.call_conv.return_user_exc(builder, exception)


def emit_array(context: Any, builder: Any, signature: Any, address: Any, lengths: tuple[Any, ...]) -> Any:
    """Emit a view of memory as an array. ``signature``: address, lengths and dtype -> array."""
    kind = signature.return_type
    typed = typing.signature(kind, types.voidptr, types.Tuple(signature.args[1:-1]))
    words = builder.inttoptr(address, ADDRESS), context.make_tuple(builder, typed.args[1], lengths)
    return arrayobj.np_cfarray(context, builder, typed, words)


def keep(compiled: Any, kept: Any) -> None:
    """Cache a function compiled by ``numba.njit``. ``cache=True`` would choose the folder itself."""
    compiled._cache = kept


class _CacheFiles:
    """Replaces Numba's files of a cached function: one file per signature, each with a checksum, and no index.

    Nothing is unpickled before its checksum is verified. ``stamp`` is a digest of the source file.
    """

    def __init__(self, folder: Path, name: str, stamp: bytes) -> None:
        self.folder = folder
        self.name = name
        self.stamp = stamp

    def file(self, key: Any) -> tuple[Path, str]:
        """Return the path and the purpose of a file. Two keys may look alike, so the file also contains its key."""
        purpose = "\n".join((*self.folder.parts[-2:], self.name, self.stamp.hex(), repr(key)))
        digest = hashlib.blake2b(purpose.encode(errors="surrogatepass"), digest_size=8).hexdigest()
        return self.folder / f"{self.name[:50]}.{digest}.nbc", purpose  # systems limit the length of names

    def load(self, key: Any) -> Any:
        """Return what was saved, or None."""
        content = checked_files.read(*self.file(key))
        if content is None:
            return None
        saved_key, data = pickle.loads(content)  # noqa: S301
        return data if saved_key == key else None

    def save(self, key: Any, data: Any) -> None:
        checked_files.write(*self.file(key), dumps((key, data)))


def disk_cache(folder: Callable[[str], Path], warn: Callable[[], object]) -> Callable[[Callable[..., Any]], Any]:
    """Return a factory of caches: a function is cached in the ``folder`` of its file; ``warn`` is called on failure."""

    class OurFolder(caching.InTreeCacheLocator):  # type: ignore[misc]
        """Our folder or none: Numba's other locators ignore the sources that are compiled in."""

        def __init__(self, py_func: FunctionType, py_file: str) -> None:
            super().__init__(py_func, py_file)
            self._cache_path = str(folder(py_file))

    class InOurFolder(caching.CompileResultCacheImpl):  # type: ignore[misc]
        """Numba's format of compiled functions, in our folder."""

        _locator_classes = (OurFolder,)

    class DiskCache(caching.FunctionCache):  # type: ignore[misc]
        """Numba's cache with our files; ignores a full disk."""

        _impl_class = InOurFolder

        def __init__(self, function: Callable[..., Any]) -> None:
            super().__init__(function)
            found = self._impl
            self._cache_file = _CacheFiles(Path(self.cache_path), found.filename_base, found.locator.get_source_stamp())

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            """Return the compiled function, or None."""
            try:
                return super().load_overload(sig, target_context)
            except Exception:  # noqa: BLE001  (e.g. of a class that can no longer be imported)
                return None

        def save_overload(self, sig: Any, data: Any) -> None:
            try:
                super().save_overload(sig, data)
            except OSError:
                warn()

    class NoCache(caching.NullCache):  # type: ignore[misc]
        """A cache that stores nothing and warns."""

        def save_overload(self, sig: Any, cres: Any) -> None:
            warn()

    def kept(function: Callable[..., Any]) -> Any:
        try:
            return DiskCache(function)
        except (OSError, RuntimeError):  # raised by Numba if the folder is not usable
            return NoCache()

    return kept


class _OnCompile(event.Listener):  # type: ignore[misc]
    """Calls ``callback`` whenever Numba starts to compile a function, not when it loads one from disk."""

    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback = callback

    def on_start(self, event: Any) -> None:
        if event.data.get("name", "").startswith("translate_bytecode"):
            self.callback()

    def on_end(self, event: Any) -> None:
        """Required by Numba's interface."""


@contextmanager
def on_compilation(notify: Callable[[], object]) -> Iterator[None]:
    """Call ``notify()`` for each function compiled inside the block."""
    with event.install_listener("numba:run_pass", _OnCompile(notify)):
        yield
