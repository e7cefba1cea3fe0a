"""Detects users' files that were edited since a run was started.

A run stores two digests per file: of its bytes, and of its syntax tree without docstrings. If only the first differs,
only comments, docstrings or layout were edited, and the jobs are the same.
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
    """Return the two digests of each file, as stored in a run's description."""
    sorted_names = sorted(set(names))
    return {
        "files": {name: file_digest(name) for name in sorted_names},
        "syntax": {name: syntax_digest(name) for name in sorted_names},
    }


def syntax_digest(name: str) -> str:
    """Return the digest of a file's syntax tree; empty if it cannot be parsed."""
    try:
        return short_digest(_tree_text(ast.parse(Path(name).read_bytes())))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ""


def _tree_text(node: object) -> str:
    """Return a syntax tree as text. Absent and empty fields are left out, so all Python versions agree."""
    if isinstance(node, ast.AST):
        parts = []
        for name, value in ast.iter_fields(node):
            given = value[1:] if name == "body" and _has_docstring(node) else value
            if given is not None and given != []:
                parts.append(f"{name}={_tree_text(given)}")
        return f"{type(node).__name__}({', '.join(parts)})"
    return f"[{', '.join(map(_tree_text, node))}]" if isinstance(node, list) else repr(node)


def _has_docstring(node: ast.AST) -> bool:
    return isinstance(node, WITH_DOCSTRINGS) and ast.get_docstring(node, clean=False) is not None


def check_edits(
    path: Path, stored: Mapping[str, Any], wanted: Mapping[str, Any], advice: str, *, accept: bool = False
) -> None:
    """Raise RamifyError if the user's files were edited since the run started.

    With ``accept``, edits of comments, docstrings and layout are allowed.
    """
    files: Mapping[str, str] = stored.get("files") or {}
    there = wanted["files"]
    edited = [name for name, digest in files.items() if digest != there.get(name) and digest not in there.values()]
    if not edited:
        return
    syntax: Mapping[str, str] = stored.get("syntax") or {}
    since = f"{', '.join(Path(name).name for name in edited)} was edited since {path} was started"
    if not all(syntax.get(name) for name in edited):
        raise RamifyError(f"{since}, and the run does not record whether only comments changed: {advice}")
    changed = [name for name in edited if syntax[name] != wanted["syntax"].get(name)]
    if changed:
        more = f"and not only in comments{', which is all that --accept-edits allows' if accept else ''}"
        raise RamifyError(f"{since}, {more}: undo the edit, or {advice}")
    if not accept:
        raise RamifyError(f"{since}, but only in comments, docstrings or layout: pass --accept-edits to resume")
