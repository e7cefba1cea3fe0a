"""Which Ramify this is, in two degrees of strictness."""

from __future__ import annotations

import hashlib
import platform
from functools import lru_cache
from pathlib import Path

import numba

import ramify
from ramify.core.kernels.disk_cache import source_digest


@lru_cache
def versions() -> str:
    """What carried a job out: our version and the digest of the compiled sources, Numba's and Python's version."""
    return f"ramify {ramify.__version__}+{source_digest()}, numba {numba.__version__}, {platform.python_version()}"


@lru_cache
def identity() -> str:
    """Our version and the digest of all our sources, Numba's version and Python's, as they were when first asked."""
    package = Path(ramify.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode())
        digest.update(path.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return (
        f"ramify {ramify.__version__} (sources {digest.hexdigest()[:12]}), numba {numba.__version__}, Python {python}"
    )
