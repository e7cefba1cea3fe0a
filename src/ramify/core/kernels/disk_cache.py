"""The on-disk cache of machine code, and the sources it depends on."""

import hashlib
import sys
from functools import cache
from pathlib import Path

import llvmlite
import numba

from ramify.core.kernels import numba_internals
from ramify.core.kernels.cache_location import cache_root

PACKAGE = Path(__file__).resolve().parents[2]

# Sources that are compiled into cached machine code. Numba checks only the file that defines a cached function, so a
# change to any of these sources moves the whole cache to a new folder.
COMPILED_SOURCES = (
    "core/**/*.py",
    "contract/*_kernels.py",
    "contract/playout_source.py",
    "contract/state_writes.py",
    "ggp/propnet/*.py",
    "solver/*.py",
    "strategies/*.py",
    "strategies/policy/*.py",
)


def source_digest() -> str:
    """Digest of all COMPILED_SOURCES and the compiler's versions."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__}".encode())
    for pattern in COMPILED_SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Cache folder of this version of the sources."""
    return cache_root() / source_digest()


_FOLDER = cache_folder().resolve()


def is_generated(file: str) -> bool:
    """Whether a source file was written by ``core.kernels.generated``."""
    return Path(file).is_relative_to(_FOLDER)


def folder_for(file: str) -> Path:
    """Cache folder of a source file; a generated file's own folder."""
    parent = Path(file).resolve().parent
    if is_generated(file):
        return parent
    return _FOLDER / f"{parent.name}_{hashlib.sha256(str(parent).encode()).hexdigest()[:16]}"


@cache
def warn_not_cached() -> None:
    """Warn once that compiled code cannot be cached."""
    sys.stderr.write(
        f"ramify: cannot write {cache_root()}, so compiled code is not cached and every start compiles again; "
        "set NUMBA_CACHE_DIR to a writable folder\n"
    )


# Returns the cache of a function.
disk_cache = numba_internals.disk_cache(folder_for, warn_not_cached)
