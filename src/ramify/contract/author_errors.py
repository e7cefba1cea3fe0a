"""Exceptions in an author's functions, reported with the function and the line."""

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

    def __init__(self, error: BaseException, file: str, function: str, line: int | None) -> None:
        place = f"{function}() in {Path(file).name}" + (f", line {line}," if line else "")
        super().__init__(f"{place} raised {error_text(error)}")
        self.file = file
        self.function = function
        self.line = line


# Not raised by an author's code, or already reported.
PASS_THROUGH = (
    *(AuthorError, KernelFailedError, SimultaneousError, BadMoveCountError, BadChoiceError),
    *(errors.NumbaError, MemoryError),
)


def error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _located(error: BaseException) -> AuthorError | None:
    """Return the error with its place if it passed through an author's file."""
    codes = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__)]
    own = [(code.co_filename, code.co_name, line) for code, line in codes if is_author_file(code.co_filename)]
    return AuthorError(error, *own[-1]) if own else None


def author_error_text(error: BaseException) -> str | None:
    """Return the error with its place and notes, or None if it did not come from an author's function."""
    located = _located(error)
    return None if located is None else "; ".join([str(located), *getattr(error, "__notes__", [])])


@contextmanager
def explaining_errors() -> Iterator[None]:
    """Wrap calls of authors' functions, compiled or not: their exceptions become AuthorErrors."""
    try:
        yield
    except Exception as error:
        explained = explain_error(error)
        if explained is error:
            raise
        raise explained from error


def explain_error(error: Exception, file: str = "", function: str = "") -> Exception:
    """Return the exception to raise instead of one from an author's function; others are returned unchanged.

    For compiled code Numba records only the line that raised, and not even that inside its own functions, such as
    ``np.empty``. The error then names ``file`` and ``function``, if they are known.
    """
    if isinstance(error, PASS_THROUGH):
        return error
    located = _located(error)
    if located or not JIT:
        return located or error
    if function:
        return AuthorError(error, file, function, None)
    return RamifyError(f"a function of the game or of a policy raised {error_text(error)}")
