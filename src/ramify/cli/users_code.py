"""Finds users' Python files on a command line, before anything is imported that could read them."""

from __future__ import annotations

import os

MAX_TOML_BYTES = 1 << 20
SUFFIX = ".py"


def users_code(words: list[str]) -> list[str]:
    """Return the users' files that a command may run, as they are written there, e.g. ``./mine.py:rule``.

    Games and agents may name them anywhere in their texts, and a tournament's file and stored games have such texts.
    """
    texts = [word for word in words if SUFFIX in word]
    files = [word for word in words if word.endswith(".toml")]
    texts += [text for file in files if SUFFIX in (text := _content(file))]
    if texts:
        return _paths(texts)
    if "replay" in words or ("tournament" in words and "--game" not in words and not files):
        return ["a file that is named there"]  # which one is not known before the run or the tournament is read
    return []


def _content(name: str) -> str:
    try:
        if os.path.isfile(name):  # noqa: PTH113  (not a pipe, which can be read only once)
            with open(name, "rb") as file:  # noqa: PTH123
                return file.read(MAX_TOML_BYTES).decode(errors="replace")
    except (OSError, ValueError):
        pass
    return ""


def _paths(texts: list[str]) -> list[str]:
    import re

    found = [path for text in texts for path in re.findall(r"""[^\s"'(),=\[\]]*\.py(?::\w+)?(?!\w)""", text)]
    return list(dict.fromkeys(found))
