"""Mistakes in what a user gave us: each is one sentence that says what was wrong and what would be right."""

import difflib
from collections.abc import Iterable

FILE_ERRORS: dict[type[OSError], str] = {
    FileNotFoundError: "there is no such file",
    IsADirectoryError: "it is a folder",
    NotADirectoryError: "a part of its path is a file, not a folder",
    PermissionError: "permission is denied",
}


class RamifyError(ValueError):
    """Bad input. The command line prints the sentence and exits with code 2."""


class GameFaultError(RamifyError):
    """What a game itself does wrong, such as a program that fails within its rules; no player's fault."""


class SimultaneousError(RamifyError):
    """A position where everybody moves at once, met by something that is for games of turns."""

    def __init__(self, what: str = "it") -> None:
        super().__init__(f"everybody moves at once in a position of this game, and {what} is for games of turns")


class BadMoveCountError(RamifyError):
    """A game that lists more moves than it announces, or fewer than none."""

    def __init__(
        self, sentence: str = "a position of the game has more moves than it announces, or less than none"
    ) -> None:
        super().__init__(sentence)


class BadChoiceError(RamifyError):
    """A policy none of whose indices is a number, or that chooses an arm that is not there."""

    def __init__(self, sentence: str = "a policy made no choice among the arms") -> None:
        super().__init__(sentence)


def suggestion(word: str, known: Iterable[str], listing: str = "") -> str:
    """A clause that offers the most similar known word, or lists them all when none is similar.

    ``listing`` is said instead of the list.
    """
    names = sorted(known)
    close = difflib.get_close_matches(str(word), names, n=1, cutoff=0.5)
    if close:
        return f"did you mean '{close[0]}'?"
    if listing:
        return listing
    return "known are " + ", ".join(names) if names else "there are none"


def os_error_text(error: OSError | ValueError) -> str:
    """Why a file could not be read or written, without the system's numbers."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8"
    if not isinstance(error, OSError):
        return str(error)
    return FILE_ERRORS.get(type(error)) or (error.strerror or "the system refuses").lower()
