"""How Python becomes machine code here, and where that code is kept on disk.

Three decorators cover everything compiled:

* ``jit``: a helper, plain Python for Python, compiled into whatever compiled code calls it;
* ``entry``: a function called from Python, kept on disk, releases the GIL;
* ``kernel``: a function called from compiled code through its *address* (an integer), kept on disk.

With ``NUMBA_DISABLE_JIT=1`` all three leave the function as plain Python, and an address is a key of ``INTERPRETED``.
"""

import ctypes
import hashlib
import os
import sys
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba.core import caching, codegen, compiler, config, dispatcher, registry
from numba.core import event as numba_event
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import register_jitable

JIT = not config.DISABLE_JIT
PACKAGE = Path(__file__).resolve().parents[2]

# Sources that end up inside cached machine code. Numba stamps a cached function with the file it stands in and no
# other, so a change to any of these moves the whole cache to a new folder.
COMPILED_SOURCES = (
    "core/**/*.py",
    "contract/game_kernels.py",
    "solver/*.py",
    "strategies/policy/policy.py",
    "strategies/policy/layout.py",
    "strategies/policy/source.py",
    "strategies/policy/templates.py",
)


class _Ingredient(codegen.JITCodeLibrary):
    """The code of a helper, which is never called but becomes part of its callers.

    Numba would optimize it and make machine code of it, and do so again within every caller. Here it is only linked to
    the helpers that it calls itself; what is worth optimizing is optimized once, in the kernel.
    """

    def finalize(self):
        """Put the helpers in that this one calls."""
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name):
        """There is no machine code."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self):
        """Whom Numba tells of the function's environment, once there is machine code: here nobody."""
        return _NOBODY


class _Nobody:
    def set_env(self, env_name, env):
        """Nothing to do."""


_NOBODY = _Nobody()


class _HelperCompiler(compiler.Compiler):
    """Numba's compiler, for helpers."""

    def __init__(self, typing, target, library, *rest):
        super().__init__(typing, target, library or _Ingredient(target.codegen(), "helper"), *rest)


OPTIONS = {"error_model": "numpy", "nogil": True}
# Helpers are called by compiled code only: no wrappers for others and no machine code, which take time to compile.
WRAPPED_BY_NONE = {**OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
HELPER = {**WRAPPED_BY_NONE, "pipeline_class": _HelperCompiler}
INLINED = {**HELPER, "forceinline": True}  # worth 15 to 20 % of a simulation

INTERPRETED = {}  # address -> Python function, used only when JIT is off

if not JIT:
    np.seterr(over="ignore")  # wrapping uint64 arithmetic is intended, as in compiled code


def source_digest():
    """Digest of every source that is compiled into kernels or the engine, and of the compiler's version."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__}".encode())
    for pattern in COMPILED_SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root():
    """The folder that holds every generation of the cache; NUMBA_CACHE_DIR moves it."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / "ramify"
    import platformdirs  # noqa: PLC0415  (only needed when no folder was named)

    return Path(platformdirs.user_cache_dir("ramify"))


def cache_folder():
    """The folder of this version of the sources."""
    return cache_root() / source_digest()


_FOLDER = cache_folder()


class _OurFolder(caching.InTreeCacheLocator):
    """Our folder, or none: the other folders that Numba would try know nothing of ``source_digest``."""

    def __init__(self, py_func, py_file):
        super().__init__(py_func, py_file)
        self._cache_path = str(_FOLDER / self.get_suitable_cache_subpath(py_file))


class _InOurFolder(caching.CompileResultCacheImpl):
    """How Numba is told of the folder."""

    _locator_classes = (_OurFolder,)


class _DiskCache(caching.FunctionCache):
    """Numba's cache; a damaged file is a file that is not there, and a full disk costs time only."""

    _impl_class = _InOurFolder

    def load_overload(self, sig, target_context):
        """The compiled function, or None."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  (reading back damaged bytes can raise anything)
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig, data):
        """Keep a compiled function."""
        try:
            super().save_overload(sig, data)
        except OSError:
            complain()


class _NoCache(caching.NullCache):
    """Where nothing can be kept."""

    def save_overload(self, sig, cres):
        """Keep nothing."""
        complain()


@cache
def complain():
    """Say once that compiled code cannot be kept."""
    sys.stderr.write(
        f"ramify: compiled code cannot be kept in {cache_root()}, so every start compiles anew; "
        "set NUMBA_CACHE_DIR to a folder that can be written to\n"
    )


def disk_cache(function):
    """Where the compiled ``function`` is kept."""
    try:
        return _DiskCache(function)
    except (OSError, RuntimeError):  # Numba's ways to say that the folder will not do
        return _NoCache()


def jit(function):
    """A helper: plain Python when Python calls it, compiled into whatever compiled code calls it."""
    return register_jitable(**INLINED)(function)


def lean(function):
    """A helper that makes no arrays: it counts no references to those it is given, and takes half the time.

    It is optimized by itself, before it becomes part of its callers: loops over draws take a sixth less time so.
    """
    return register_jitable(_nrt=False, **WRAPPED_BY_NONE)(function)


def entry(function):
    """Compile a function that Python calls; kept on disk."""
    compiled = numba.njit(**OPTIONS)(function)
    if JIT:
        compiled._cache = disk_cache(function)
    return compiled


def kernel(function):
    """Compile ``function`` (integers in, an integer out) and return its address; kept on disk."""
    arity = function.__code__.co_argcount
    if not JIT:
        address = id(function)
        INTERPRETED[address] = function
        return Kernel(address, function)
    word = numba.types.int64
    compiled = _compile(function, word(*[word] * arity))
    native = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    signature = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_int64] * arity)
    return Kernel(native, _from_python(signature(native)), compiled)


@global_compiler_lock
def _compile(function, signature):
    """Numba's result of compiling ``function``, or of an earlier process doing so; no wrappers."""
    kept = disk_cache(function)
    target = registry.cpu_target
    compiled = kept.load_overload(signature, target.target_context)
    if compiled is None:
        options = {**WRAPPED_BY_NONE, "nopython": True, "forceinline": True}
        made = dispatcher._FunctionCompiler(function, target, options, {}, compiler.Compiler)
        compiled = made.compile(signature.args, signature.return_type)
        kept.save_overload(signature, compiled)
        # Where an exception finds the constants of the helpers that raise it: these have no machine code of their own.
        for environment in compiled._find_referenced_environments():
            compiled.library.codegen.set_env(environment.env_name, environment)
    return compiled


def _from_python(native):
    """Call a kernel from Python: Numba's convention is a status, with pointers to the answer and to an exception."""

    def call(*arguments):
        answer, exception = ctypes.c_int64(), ctypes.c_void_p()
        status = native(ctypes.byref(answer), ctypes.byref(exception), *arguments)
        if status:
            from ramify.core.kernels.pointers import raise_again  # noqa: PLC0415  (which needs this module)

            raise_again(status, exception.value)
        return answer.value

    return call


class Kernel:
    """A function compiled code can call by ``address`` and Python by calling it."""

    def __init__(self, address, call, keep=None):
        self.address = address
        self.call = call
        self.keep = keep  # owns the machine code behind the address

    def __call__(self, *arguments):
        """Call it from Python."""
        return self.call(*arguments)


class OnCompile(numba_event.Listener):
    """Calls ``notify()`` whenever Numba starts to compile something (never when it loads from disk)."""

    def __init__(self, notify):
        self.tell = notify  # `notify` is what Numba calls with every event

    def on_start(self, event):
        """Numba calls this at the start of every compiler pass."""
        if event.data.get("name", "").startswith("translate_bytecode"):
            self.tell()

    def on_end(self, event):
        """Nothing to do."""


@contextmanager
def watching_compilation(notify):
    """Call ``notify()`` for each function compiled inside the block."""
    with numba_event.install_listener("numba:run_pass", OnCompile(notify)):
        yield


def python_kernel(function, arity):
    """A Python function as a kernel (0.2 us a call); `core.kernels.pointers.call` knows it by its negative address."""
    if not JIT:
        INTERPRETED[id(function)] = function
        return Kernel(id(function), function)
    callback = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arity)(function)
    return Kernel(-ctypes.cast(callback, ctypes.c_void_p).value, function, callback)
