"""Faults and resignations of engines."""

from __future__ import annotations

MAX_REASON_LENGTH = 200  # characters; reasons are stored in rows and shown in tables
MAX_QUOTE_LENGTH = 60


class Fault(Exception):  # noqa: N818  (an engine's fault, not an error of ours)
    """An engine's fault, which loses the game. ``late``: it ran out of time."""

    def __init__(self, reason: str, *, late: bool = False) -> None:
        line = " ".join(reason.split())
        self.reason = line if len(line) <= MAX_REASON_LENGTH else line[: MAX_REASON_LENGTH - 4] + " ..."
        self.late = late
        super().__init__(self.reason)


class Resignation(Exception):  # noqa: N818  (not an error)
    """The player resigns."""


def quoted(text: str) -> str:
    """Quote an engine's output for a reason: shortened, unprintable characters replaced."""
    shown = text if len(text) <= MAX_QUOTE_LENGTH else text[:MAX_QUOTE_LENGTH] + "..."
    return "'" + "".join(letter if letter.isprintable() else "?" for letter in shown) + "'"
