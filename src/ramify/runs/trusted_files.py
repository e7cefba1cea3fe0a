"""Python files that a run names: ``ramify replay`` imports them only if they are unchanged and the user agrees.

A run may come from anybody, and importing a file runs its code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from ramify.errors import RamifyError, os_error_text
from ramify.runs.user_files import file_digest, named_files


def check_trust(
    run: Path, description: Mapping[str, Any], texts: Iterable[str], *, trust: bool, ask: Callable[[str], bool] | None
) -> list[str]:
    """Raise RamifyError unless the files that texts of a run name may be imported. Return notes.

    ``trust``: the user agrees. Otherwise ``ask`` puts a question; None without a terminal.
    """
    names = list(dict.fromkeys(name for text in texts for name in named_files(text)))
    if not names:
        return []
    files = description.get("files")
    stored = files if isinstance(files, dict) else {}
    for name, digest in stored.items():
        if _digest(name) != digest:
            raise RamifyError(f"{name} is not the file that {run} was played with: restore it to replay the game")
    unknown = [name for name in names if name not in stored]
    if not trust:
        _agree(run, names, unknown, ask)
    return [f"{run} does not record the digest of {name}: it may have changed" for name in unknown]


def _agree(run: Path, names: list[str], unknown: list[str], ask: Callable[[str], bool] | None) -> None:
    listed = ", ".join(names)
    if unknown:
        raise RamifyError(
            f"{run} does not record the digest of {', '.join(unknown)}: pass --trust to import it as it is now"
        )
    if ask is None:
        raise RamifyError(f"the game runs the code of {listed}, which {run} names: pass --trust if you trust it")
    if not ask(f"The game runs the code of {listed}, which {run} names. Do you trust it?"):
        raise RamifyError(f"{listed} was not imported: pass --trust to import it without a question")


def _digest(name: str) -> str:
    try:
        return file_digest(name)
    except (OSError, ValueError) as error:
        raise RamifyError(f"cannot read {name}: {os_error_text(error)}") from None
