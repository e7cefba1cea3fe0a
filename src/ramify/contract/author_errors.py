"""What a game or a policy raises while it runs, as a sentence with the function and the line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb

from numba import errors

from ramify.core.kernels.compiling import JIT
from ramify.core.kernels.pointers import KernelFailedError
from ramify.core.kernels.source_digest import is_author_file
from ramify.errors import BadChoiceError, BadMoveCountError, RamifyError, SimultaneousError


class AuthorError(RamifyError):
    """An exception in an author's function."""

    def __init__(self, error: Exception, file: str, function: str, line: int | None) -> None:
        place = f"{function}() in {Path(file).name}" + (f", line {line}," if line else "")
        super().__init__(f"{place} raised {error_text(error)}")
        self.file = file
        self.function = function
        self.line = line


# Not of an author's own making, or told already.
PASS_THROUGH = (
    *(AuthorError, KernelFailedError, SimultaneousError, BadMoveCountError, BadChoiceError),
    *(errors.NumbaError, MemoryError),
)


def error_text(error: Exception) -> str:
    """An exception's type and message."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _placed(error: Exception) -> AuthorError | None:
    """The same with its place, if it passed through an author's file."""
    codes = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    own = [(code.co_filename, code.co_name, line) for code, line in codes if is_author_file(code.co_filename)]
    return AuthorError(error, *own[-1]) if own else None


def author_error_text(error: Exception) -> str | None:
    """What a function of an author's raised, with its place and all that was noted; None if it was none of theirs."""
    placed = _placed(error)
    return None if placed is None else "; ".join([str(placed), *getattr(error, "__notes__", [])])


@contextmanager
def explaining_errors() -> Iterator[None]:
    """Around authors' functions, compiled or not: what they raise becomes a AuthorError."""
    try:
        yield
    except Exception as error:
        told = explain_error(error)
        if told is error:
            raise
        raise told from error


def explain_error(error: Exception, file: str = "", function: str = "") -> Exception:
    """The exception to raise in place of one that came out of authors' functions; itself if it is not theirs.

    Of compiled code Numba tells only where the exception was raised, and not even that of its own versions of, say,
    ``np.empty``; then ``file`` and ``function`` are named, if they are known.
    """
    if isinstance(error, PASS_THROUGH):
        return error
    placed = _placed(error)
    if placed or not JIT:
        return placed or error
    if function:
        return AuthorError(error, file, function, None)
    return RamifyError(f"a function of the game or of a policy raised {error_text(error)}")
