"""Compile generated source, for games and policies.

The source of a kernel is a few lines around an author's function. It is written to a file in the cache folder: Numba
stores the machine code next to it, and tracebacks and debuggers show its lines. The name of a kernel must identify
all code that is compiled into it (``source_digest.digest``), so two files of the same name are identical.
"""

from __future__ import annotations

import linecache
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ramify.core.kernels import checked_files
from ramify.core.kernels.compile_errors import explain
from ramify.core.kernels.compiling import Kernel, kernel
from ramify.core.kernels.disk_cache import folder_for


class KernelOrigin(NamedTuple):
    """Author's file, function and names, for error messages."""

    file: str
    function: str
    names: Mapping[str, object]  # all names defined in the file


def compile_source(name: str, source: str, namespace: dict[str, Any], author: KernelOrigin) -> Kernel:
    """Execute the source in ``namespace`` and compile its function ``name``."""
    exec(compile(source, write_source(name, source, folder_for(author.file)), "exec"), namespace)  # noqa: S102
    try:
        return kernel(namespace[name])
    except Exception as error:
        raise explain(error, author.file, author.function, author.names) from error


def write_source(name: str, source: str, folder: Path) -> str:
    """Write a source file and return its path; if that fails, return a name registered in ``linecache``.

    A file that differs from the source is written again.
    """
    path = folder / f"{name}.py"
    with suppress(OSError, UnicodeDecodeError):
        if path.read_text(encoding="utf-8") == source:
            return str(path)
    try:
        checked_files.replace(path, source.encode())
    except OSError:
        inside = f"<{name}>"
        linecache.cache[inside] = (len(source), None, source.splitlines(keepends=True), inside)
        return inside
    return str(path)
