"""Files of the user's that were edited since a run began: which, and whether only in what no program runs.

A run keeps two digests of each file, of its bytes and of its syntax without docstrings. Where the bytes differ and the
syntax does not, only comments, docstrings or layout were edited, and the jobs are the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ramify.errors import RamifyError
from ramify.runs.user_files import file_digest, short_digest

WITH_DOCSTRINGS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def digests(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """The two digests of files, as a run's description has them."""
    sorted_names = sorted(set(names))
    return {
        "files": {name: file_digest(name) for name in sorted_names},
        "syntax": {name: syntax_digest(name) for name in sorted_names},
    }


def syntax_digest(name: str) -> str:
    """The digest of a file's syntax; empty where it has none."""
    try:
        return short_digest(_written(ast.parse(Path(name).read_bytes())))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ""


def _written(node: object) -> str:
    """Syntax as text, the same in all versions of Python: what is absent or empty is not written."""
    if isinstance(node, ast.AST):
        parts = []
        for name, value in ast.iter_fields(node):
            given = value[1:] if name == "body" and _has_docstring(node) else value
            if given is not None and given != []:
                parts.append(f"{name}={_written(given)}")
        return f"{type(node).__name__}({', '.join(parts)})"
    return f"[{', '.join(map(_written, node))}]" if isinstance(node, list) else repr(node)


def _has_docstring(node: ast.AST) -> bool:
    return isinstance(node, WITH_DOCSTRINGS) and ast.get_docstring(node, clean=False) is not None


def check_edits(
    path: Path, stored: Mapping[str, Any], wanted: Mapping[str, Any], advice: str, *, accept: bool = False
) -> None:
    """Refuse to go on with files that were edited since the run began, unless ``accept`` and no program changed."""
    files: Mapping[str, str] = stored.get("files") or {}
    there = wanted["files"]
    edited = [name for name, digest in files.items() if digest != there.get(name) and digest not in there.values()]
    if not edited:
        return
    syntax: Mapping[str, str] = stored.get("syntax") or {}
    since = f"{', '.join(Path(name).name for name in edited)} was edited since {path} was begun"
    if not all(syntax.get(name) for name in edited):
        raise RamifyError(f"{since}, and the run does not say whether only in its comments: {advice}")
    changed = [name for name in edited if syntax[name] != wanted["syntax"].get(name)]
    if changed:
        more = f"and not only in its comments{', which is all that --accept-change allows' if accept else ''}"
        raise RamifyError(f"{since}, {more}: undo that, or {advice}")
    if not accept:
        raise RamifyError(f"{since}, but only in its comments, docstrings or layout: --accept-change goes on")
