"""Errors for bad input. A message says what is wrong, then what to do."""

import difflib
from collections.abc import Iterable

FILE_ERRORS: dict[type[OSError], str] = {
    FileNotFoundError: "no such file",
    IsADirectoryError: "it is a folder",
    NotADirectoryError: "a part of its path is a file, not a folder",
    PermissionError: "permission denied",
}


class RamifyError(ValueError):
    """Bad input. The command line prints the message, which is one line, and exits with code 2."""

    def __init__(self, message: object = "") -> None:
        super().__init__(str(message).replace("\n", "\\n"))  # of a quoted text or of another program's message


class GameFaultError(RamifyError):
    """A failure of the game itself, e.g. of another program that runs its rules; no player is to blame."""


class SimultaneousError(RamifyError):
    """A position with simultaneous moves, met by code that only supports turns."""

    def __init__(self, what: str = "this search") -> None:
        super().__init__(f"this game has simultaneous moves, which {what} does not support")


class BadMoveCountError(RamifyError):
    """A game lists more moves than it declares, or a negative number."""

    def __init__(
        self, sentence: str = "a position of the game has more moves than it declares, or a negative number of them"
    ) -> None:
        super().__init__(sentence)


class GameViolationError(RamifyError):
    """A user's game that violates the contract while it is played. ``contract.checked_kernels`` says how."""

    def __init__(self, sentence: str = "the game violates the contract: run `ramify check-game`") -> None:
        super().__init__(sentence)


class BadChoiceError(RamifyError):
    """A policy whose indices are all NaN, or that selects an arm out of range."""

    def __init__(self, sentence: str = "a policy selected none of the arms") -> None:
        super().__init__(sentence)


class BadGoalError(RamifyError):
    """A goal that holds at the end of a rulesheet's game, but is not an integer from 0 to 100."""

    def __init__(self, sentence: str = "invalid goal in the rulesheet: use an integer from 0 to 100") -> None:
        super().__init__(sentence)


class BadPlayoutError(RamifyError):
    """A user's playout that ends too early, or returns a wrong number of plies."""

    def __init__(self, sentence: str = "a playout ended too early, or returned a wrong number of plies") -> None:
        super().__init__(sentence)


class BadRewardError(RamifyError):
    """A reward that is not a number."""

    def __init__(self, sentence: str = "a reward returned nan") -> None:
        super().__init__(sentence)


def suggestion(word: str, known: Iterable[str], listing: str = "") -> str:
    """Return a clause that suggests the most similar known word, or lists them all if none is similar.

    ``listing`` replaces the list.
    """
    names = sorted(known)
    close = difflib.get_close_matches(str(word), names, n=1, cutoff=0.5)
    if close:
        return f"did you mean '{close[0]}'?"
    if listing:
        return listing
    return ("expected one of " if len(names) > 1 else "expected ") + ", ".join(names) if names else "none is defined"


def os_error_text(error: OSError | ValueError) -> str:
    """Return why a file could not be read or written, without error numbers."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not text in UTF-8"
    if not isinstance(error, OSError):
        return str(error)
    return FILE_ERRORS.get(type(error)) or (error.strerror or "unknown system error").lower()
