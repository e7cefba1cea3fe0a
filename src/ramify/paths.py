"""Questions about users' paths that never raise: a path that the system rejects, e.g. for its length, does not exist.

The methods of ``Path`` raise OSError for names of more than 255 bytes, and RuntimeError for loops of symbolic links and
for users that do not exist.
"""

import errno
import os
from pathlib import Path

MAX_TEXT_LENGTH = 1 << 26  # characters; a device such as /dev/zero never ends


def exists(path: str | Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: str | Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: str | Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112


def resolved(path: str | Path) -> Path:
    """Return the absolute path without symbolic links, except those of a loop."""
    return Path(os.path.realpath(path))


def expanded(path: str) -> Path:
    """Return the path with the home folder in place of ``~``, if there is such a user."""
    return Path(os.path.expanduser(path))  # noqa: PTH111


def read_text(path: str | Path, errors: str = "strict") -> str:
    """Read a user's text file. Unlike the functions above it raises OSError, also if the file is too large."""
    with Path(path).open(encoding="utf-8", errors=errors) as file:
        text = file.read(MAX_TEXT_LENGTH + 1)
    if len(text) > MAX_TEXT_LENGTH:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return text
