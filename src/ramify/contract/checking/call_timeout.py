"""Time limit for an author's Python code: a function that never returns is interrupted and reported as an error."""

from __future__ import annotations

import ctypes
import linecache
import threading
from collections.abc import Callable
from time import monotonic
from types import TracebackType
from typing import Any, Self

from ramify.contract.author_errors import raised_by_author
from ramify.contract.checking.result import ContractViolation

CALL_TIMEOUT = 5.0  # seconds per call in a precheck


class CallTimedOut(BaseException):
    """Raised inside a function that takes too long. Not an Exception, so that the function does not catch it."""


class CallTimeout:
    """Context manager that calls functions and interrupts those that take longer than ``seconds``.

    A second thread checks the clock, so calls cost nothing extra. Only Python code can be interrupted.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._since: float | None = None
        self._stuck: ContractViolation | None = None
        self._done = threading.Event()
        self._caller = threading.get_ident()
        self._thread = threading.Thread(target=self._check_clock, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _check_clock(self) -> None:
        while not self._done.wait(self.seconds / 8):
            since = self._since
            if since is not None and monotonic() - since > self.seconds:  # repeatedly: a finalizer may swallow it
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._caller), ctypes.py_object(CallTimedOut))

    def __call__(self, name: str, file: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call an author's function. After a timeout this and all later calls raise ContractViolation."""
        if self._stuck is not None:
            raise self._stuck
        self._since = monotonic()
        try:
            return function(*arguments)
        except CallTimedOut as stuck:
            self._since = None
            line, at = error_location(stuck, file)
            sentence = f"{name} has not returned after {self.seconds:g} s: a loop{at} does not end"
            self._stuck = ContractViolation("stuck", sentence, line=line)
            raise self._stuck from None
        except Exception:
            raise
        except BaseException as error:
            if not raised_by_author(error):
                raise
            raise violation_from_error(name, error, file) from None
        finally:
            self._since = None


def error_location(error: BaseException, file: str) -> tuple[int | None, str]:
    """Return the last line of the author's file in an error's traceback, as a number and as text."""
    line = None
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line, f" in line {line} (`{linecache.getline(file, line).strip()}`)" if line else ""


def violation_from_error(name: str, error: BaseException, file: str, hint: str = "") -> ContractViolation:
    """Convert an exception in an author's function to a ContractViolation."""
    line, at = error_location(error, file)
    return ContractViolation("raises", f"{name} raised {type(error).__name__}{at}: {error}{hint}", line=line)
