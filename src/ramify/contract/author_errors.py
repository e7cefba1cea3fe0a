"""Exceptions in an author's functions, reported with the function and the line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from opcode import opname
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import ParamSpec, TypeVar

from numba import errors

from ramify.core.kernels.compiling import JIT
from ramify.core.kernels.pointers import KernelFailedError
from ramify.core.kernels.source_digest import is_author_file
from ramify.errors import (
    BadChoiceError,
    BadGoalError,
    BadMoveCountError,
    BadPlayoutError,
    BadRewardError,
    GameViolationError,
    RamifyError,
    SimultaneousError,
)

USER_MODULE = "ramify_user_"  # the names of users' modules begin with this (``contract.registry``)
P = ParamSpec("P")
T = TypeVar("T")


class AuthorError(RamifyError):
    """An exception in an author's function."""

    def __init__(self, error: BaseException, file: str, function: str, line: int | None) -> None:
        place = f"{function}() in {Path(file).name}" + (f", line {line}," if line else "")
        super().__init__(f"{place} raised {error_text(error)}")
        self.file = file
        self.function = function
        self.line = line


class UnlocatedError(RamifyError):
    """An exception in an author's compiled function, of which neither line nor function is known."""


# Not raised by an author's code, or already reported.
PASS_THROUGH = (
    *(AuthorError, KernelFailedError, SimultaneousError, GameViolationError),
    *(BadMoveCountError, BadChoiceError, BadGoalError, BadPlayoutError, BadRewardError, errors.NumbaError, MemoryError),
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
    located = _located(error) if isinstance(error, Exception) or raised_by_author(error) else None
    return None if located is None else "; ".join([str(located), *getattr(error, "__notes__", [])])


def raised_by_author(error: BaseException) -> bool:
    """Whether an exception other than an Exception, such as SystemExit, was raised on purpose by a user's file.

    Ctrl-C and the end of a time limit may also interrupt a function of the file, at any instruction other than
    ``raise``. Functions of the program that calls Ramify, such as those that show progress, do not count.
    """
    frames = list(_frames(error))
    if not any(str(one.tb_frame.f_globals.get("__name__")).startswith(USER_MODULE) for one in frames):
        return False
    last = frames[-1]
    explicit = opname[last.tb_frame.f_code.co_code[last.tb_lasti]] == "RAISE_VARARGS"
    return explicit or isinstance(error, SystemExit | GeneratorExit)


def _frames(error: BaseException) -> Iterator[TracebackType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace
        trace = trace.tb_next


@contextmanager
def explaining_errors() -> Iterator[None]:
    """Wrap calls of authors' functions, compiled or not: their exceptions become AuthorErrors."""
    try:
        yield
    except BaseException as error:
        explained = explain_error(error)
        if explained is error:
            raise
        raise explained from error


def call_author(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Call a Python function of an author, or one that calls those: SystemExit and its like become AuthorErrors."""
    try:
        return function(*arguments, **named)
    except Exception:
        raise
    except BaseException as error:
        explained = explain_error(error)
        if explained is error:
            raise
        raise explained from error


def explain_error(error: BaseException, file: str = "", function: str = "") -> BaseException:
    """Return the exception to raise instead of one from an author's function; others are returned unchanged.

    For compiled code Numba records only the line that raised, and not even that inside its own functions, such as
    ``np.empty``. The error then names ``file`` and ``function``, if they are known.
    """
    if isinstance(error, PASS_THROUGH) or not (isinstance(error, Exception) or raised_by_author(error)):
        return error
    located = _located(error)
    if located or not JIT:
        return located or error
    if function:
        return AuthorError(error, file, function, None)
    if isinstance(error, RamifyError):  # ours, e.g. of a precheck: it says what is wrong and where
        return error
    return UnlocatedError(f"a function of the game or of a policy raised {error_text(error)}")
