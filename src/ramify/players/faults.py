"""What another program does wrong in a game, and that it gives up."""

from __future__ import annotations

MAX_REASON_LENGTH = 200  # characters; reasons stand in rows and tables
MAX_QUOTE_LENGTH = 60


class Fault(Exception):  # noqa: N818  (it is the other program's)
    """It loses the game for this reason; ``late`` where it ran out of time."""

    def __init__(self, reason: str, *, late: bool = False) -> None:
        line = " ".join(reason.split())
        self.reason = line if len(line) <= MAX_REASON_LENGTH else line[: MAX_REASON_LENGTH - 4] + " ..."
        self.late = late
        super().__init__(self.reason)


class Resignation(Exception):  # noqa: N818  (nothing is wrong with it)
    """The player gives the game up."""


def quoted(text: str) -> str:
    """What a program wrote, for a reason: on one line, cut, without what no terminal should be sent."""
    shown = text if len(text) <= MAX_QUOTE_LENGTH else text[:MAX_QUOTE_LENGTH] + "..."
    return "'" + "".join(letter if letter.isprintable() else "?" for letter in shown) + "'"
