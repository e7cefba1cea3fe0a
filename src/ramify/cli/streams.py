"""Standard streams that may be full, closed or limited to ASCII.

A message that cannot be written is lost, and the command goes on. Output that cannot be written is an error. Characters
that a stream cannot encode are replaced.
"""

from __future__ import annotations

import errno
import io
import os
import sys

from ramify.errors import RamifyError, os_error_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO


class OutputFile(io.FileIO):
    """Standard output. The first failure raises RamifyError, or BrokenPipeError; what follows is lost silently."""

    failed = False

    def write(self, data: Any) -> int:
        if not self.failed:
            try:
                return super().write(data)
            except BrokenPipeError:
                self.failed = True
                raise
            except OSError as error:
                self.failed = True
                why = "standard output is closed" if error.errno == errno.EBADF else os_error_text(error)
                raise RamifyError(f"the output cannot be written: {why}") from error
        return len(memoryview(data))


class MessageFile(io.FileIO):
    """Standard error. What cannot be written is lost silently."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(memoryview(data))


def open_streams() -> None:
    """Replace the standard streams of this process; call it once, before anything is written."""
    for number in range(3):
        _open_if_closed(number)
    sys.stdin = sys.stdin or io.TextIOWrapper(io.FileIO(0, closefd=False))
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    sys.stdout = _text(OutputFile(1, "w", closefd=False), sys.stdout, "replace")
    sys.stderr = _text(MessageFile(2, "w", closefd=False), sys.stderr, "backslashreplace")


def _open_if_closed(number: int) -> None:
    """Open a closed descriptor, so that no other file gets its number: nothing can be read from or written to it."""
    try:
        os.fstat(number)
    except OSError:
        os.open(os.devnull, os.O_RDONLY)  # gets the lowest free number


def _text(file: io.FileIO, before: TextIO | None, errors: str) -> TextIO:
    """Return a text stream that writes to ``file`` as the stream before it did; None: it was closed."""
    options: dict[str, Any] = {"line_buffering": True}
    if isinstance(before, io.TextIOWrapper):
        names = ("encoding", "line_buffering", "write_through")
        options = {name: getattr(before, name) for name in names}
    return io.TextIOWrapper(io.BufferedWriter(file), errors=errors, **options)
