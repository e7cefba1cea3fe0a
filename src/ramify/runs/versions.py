"""The version of Ramify that runs jobs, in two degrees of strictness."""

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
    """Return the versions stored with a run: Ramify's with the digest of its compiled sources, Numba's, Python's."""
    return f"ramify {ramify.__version__}+{source_digest()}, numba {numba.__version__}, {platform.python_version()}"


@lru_cache
def identity() -> str:
    """Return what driver and workers must share: Ramify's version with the digest of all sources, Numba's, Python's.

    The sources are read once, at the first call.
    """
    package = Path(ramify.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode())
        digest.update(path.read_bytes())
    python = ".".join(platform.python_version_tuple()[:2])
    return (
        f"ramify {ramify.__version__} (sources {digest.hexdigest()[:12]}), numba {numba.__version__}, Python {python}"
    )
