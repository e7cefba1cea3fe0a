"""Files that users name for output. Only regular files are written, and only those of Ramify are replaced."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from ramify.errors import RamifyError, os_error_text
from ramify.paths import resolved

PICTURE_MARK = {"Software": "Ramify"}  # text in every PNG that we write

SPECIAL_FILES: dict[Callable[[int], bool], str] = {
    stat.S_ISDIR: "a folder",
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a device",
    stat.S_ISFIFO: "a named pipe",
    stat.S_ISSOCK: "a socket",
}


def resolve_output(path: Path) -> Path:
    """Return the path with all symbolic links resolved. Opens nothing.

    Raises RamifyError unless it is that of a regular file or a name that is free.
    """
    try:
        found = status(path)
        target = resolved(path)
    except OSError as error:
        raise RamifyError(f"cannot write {path}: {os_error_text(error)}") from None
    if found is None and path.is_symlink():
        raise RamifyError(f"{path} is a symbolic link to {target}, which does not exist: name the file itself")
    if found is not None and not stat.S_ISREG(found.st_mode):
        kind = next((name for is_kind, name in SPECIAL_FILES.items() if is_kind(found.st_mode)), "a special file")
        raise RamifyError(f"{path} is {kind}: name a regular file or a new one")
    return target


def status(path: Path, *, follow: bool = True) -> os.stat_result | None:
    """Return the status of a file, or None if there is none."""
    try:
        return path.stat(follow_symlinks=follow)
    except FileNotFoundError:
        return None


def check_replaceable(path: Path, is_ours: Callable[[bytes], bool]) -> Path:
    """Return the resolved path. Raise RamifyError unless the file is missing, empty or ours by its contents."""
    target = resolve_output(path)
    before = target.read_bytes() if target.exists() else b""
    if before and not is_ours(before):
        raise RamifyError(
            f"{path} exists, and nothing in it says that Ramify wrote it: choose another place, or delete it"
        )
    return target


def write_output(path: Path, data: bytes, is_ours: Callable[[bytes], bool]) -> None:
    """Write a file, or replace one that is ours by its contents. It appears complete or not at all."""
    target = check_replaceable(path, is_ours)
    before = status(target)
    with _locked_draft(target, lambda found: data.startswith(found) or is_ours(found)) as (draft, file):
        with open(file, "wb", closefd=False) as stream:
            stream.truncate()
            stream.write(data)
        if before is not None:
            draft.chmod(stat.S_IMODE(before.st_mode))
        draft.replace(target)


@contextmanager
def _locked_draft(target: Path, is_ours: Callable[[bytes], bool]) -> Iterator[tuple[Path, int]]:
    """Open a file next to another, to be renamed: a new one, or one that a killed process left."""
    for number in count(1):
        draft = target.with_name(f".{target.name}.ramify-new-{number}")
        with suppress(OSError):
            if not stat.S_ISREG(draft.lstat().st_mode):
                continue
        file = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666)
        try:
            if _is_free(file, draft) and is_ours(draft.read_bytes()):
                try:
                    yield draft, file
                except BaseException:
                    with suppress(OSError):
                        draft.unlink()
                    raise
                return
        finally:
            os.close(file)


def _is_free(file: int, path: Path) -> bool:
    """Lock an open file. Return whether nobody else holds it and it still has its name."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass  # a file system without locks
    found = status(path, follow=False)
    return found is not None and os.path.samestat(os.fstat(file), found)


def create_new(beside: Path, pattern: str) -> Path:
    """Create an empty file next to another. ``pattern`` makes its name from that of the other and a number."""
    for number in count(1):
        new = beside.with_name(pattern.format(beside.name, number))
        with suppress(FileExistsError):
            os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666))
            return new
    raise AssertionError


def is_our_picture(data: bytes) -> bool:
    """Return whether a PNG carries PICTURE_MARK."""
    return all(f"{key}\0{text}".encode() in data[:1000] for key, text in PICTURE_MARK.items())
