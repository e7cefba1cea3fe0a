"""Messages for exceptions that end a command."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from traceback import walk_tb

from ramify.cli.memory_limit import is_memory_scarce, out_of_memory_text
from ramify.errors import RamifyError, os_error_text

TRACEBACK = "RAMIFY_TRACEBACK"  # environment variable: print the traceback of an exception that nobody expected
NO_THREAD = "can't start new thread"


def describe(error: BaseException) -> tuple[str, int]:
    """Return the message for an exception that ends a command, and the exit code."""
    if isinstance(error, RamifyError):
        return str(error), 2
    if _is_lack_of_memory(error):
        return out_of_memory_text(), 2
    from ramify.contract.author_errors import author_error_text, error_text

    message = author_error_text(error)
    if message is not None:
        return message, 2
    if isinstance(error, OSError):
        return ": ".join([*filter(None, [error.filename]), os_error_text(error)]), 2
    if isinstance(error, RuntimeError) and str(error) == NO_THREAD:
        return f"{NO_THREAD}: use fewer --threads or --workers, or raise the limit (ulimit -u)", 2
    *_, (frame, line) = walk_tb(error.__traceback__)
    place = f"{Path(frame.f_code.co_filename).name}, line {line}"
    return f"this is a bug in Ramify: {error_text(error)} ({place}); {TRACEBACK}=1 shows the traceback to report", 1


def _is_lack_of_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    # Libraries that cannot be loaded raise ImportError, or OSError without a number.
    return is_memory_scarce() and isinstance(error, ImportError | OSError) and getattr(error, "errno", None) is None


def is_of_author(error: SystemExit) -> bool:
    """Return whether an author's function has called ``sys.exit``."""
    if "ramify.contract.author_errors" not in sys.modules:  # no author's function has run
        return False
    from ramify.contract.author_errors import author_error_text

    return author_error_text(error) is not None
