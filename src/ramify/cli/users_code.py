"""Finds users' Python files on a command line, before anything is imported that could read them."""

from __future__ import annotations

MAX_TOML_BYTES = 1 << 20
SUFFIX = ".py"


def users_code(words: list[str]) -> list[str]:
    """Return the users' files that a command may run, as they are written there, e.g. ``./mine.py:rule``.

    Games and agents may name them anywhere in their texts, and a tournament's file and stored games have such texts.
    """
    texts = [word for word in words if SUFFIX in word]
    texts += [text for word in words if word.endswith(".toml") if SUFFIX in (text := _content(word))]
    found = _paths(texts) if texts else []
    if not found and "replay" in words:  # which file a run names is not known before it is read
        return [f"a file of {' '.join(words[words.index('replay') + 1 :][:1])}".strip()]
    return found


def _content(name: str) -> str:
    try:
        with open(name, "rb") as file:  # noqa: PTH123  (pathlib is slow to import)
            return file.read(MAX_TOML_BYTES).decode(errors="replace")
    except (OSError, ValueError):
        return ""


def _paths(texts: list[str]) -> list[str]:
    import re

    found = [path for text in texts for path in re.findall(r"""[^\s"'(),=\[\]]*\.py(?::\w+)?(?!\w)""", text)]
    return list(dict.fromkeys(found))
