"""Where machine code is kept on disk, and which of our sources it depends on."""

import hashlib
import os
import sys
from functools import cache
from pathlib import Path

import llvmlite
import numba

from ramify.core.kernels import numba_internals

PACKAGE = Path(__file__).resolve().parents[2]

# Sources that end up inside cached machine code. Numba stamps a cached function with the file it stands in and no
# other, so a change to any of these moves the whole cache to a new folder.
COMPILED_SOURCES = (
    "core/**/*.py",
    "contract/*_kernels.py",
    "contract/playout_source.py",
    "ggp/propnet/*.py",
    "solver/*.py",
    "strategies/*.py",
    "strategies/policy/*.py",
)


def source_digest() -> str:
    """Digest of every source that is compiled into kernels or the engine, and of the compiler's version."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__}".encode())
    for pattern in COMPILED_SOURCES:
        for path in sorted(PACKAGE.glob(pattern)):
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The folder that holds every generation of the cache; NUMBA_CACHE_DIR moves it."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / "ramify"
    import platformdirs  # noqa: PLC0415  (only needed when no folder was named)

    return Path(platformdirs.user_cache_dir("ramify"))


def cache_folder() -> Path:
    """The folder of this version of the sources."""
    return cache_root() / source_digest()


_FOLDER = cache_folder().resolve()


def is_generated(file: str) -> bool:
    """Whether a source file is one of those that ``maker`` has made."""
    return Path(file).is_relative_to(_FOLDER)


def folder_for(file: str) -> Path:
    """Where the machine code of a source file is kept: beside it, if we have made the file."""
    parent = Path(file).resolve().parent
    if is_generated(file):
        return parent
    return _FOLDER / f"{parent.name}_{hashlib.sha256(str(parent).encode()).hexdigest()[:16]}"


@cache
def warn_not_cached() -> None:
    """Say once that compiled code cannot be kept."""
    sys.stderr.write(
        f"ramify: compiled code cannot be kept in {cache_root()}, so every start compiles anew; "
        "set NUMBA_CACHE_DIR to a folder that can be written to\n"
    )


# What tells where a compiled function is kept.
disk_cache = numba_internals.disk_cache(folder_for, warn_not_cached)
