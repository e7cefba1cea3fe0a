"""Questions about users' paths that never raise: a path that the system rejects, e.g. for its length, does not exist.

The methods of ``Path`` raise OSError for names of more than 255 bytes.
"""

import os
from pathlib import Path


def exists(path: str | Path) -> bool:
    return os.path.exists(path)  # noqa: PTH110


def is_file(path: str | Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: str | Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112
