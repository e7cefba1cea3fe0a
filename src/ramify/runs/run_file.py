"""The file of a run on disk: where it may be, how it is created, and whether it is still in its place.

Nothing of the user's is replaced or deleted. Side files have names of our own or of SQLite, and are only touched if
they are empty or begin as ours do.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ramify.errors import RamifyError
from ramify.output_files import create_new, resolve_output, status
from ramify.paths import is_folder
from ramify.runs.lock import Lock

APPLICATION = 0x52414D49  # "RAMI", application id in the header of run files
RESCUED = "{}.rescued-{}"

# First bytes of SQLite's side files. SQLite overwrites or deletes whatever has such a name.
SQLITE_SIDE_FILES = {
    "-wal": (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"),
    "-journal": (b"\xd9\xd5\x05\xf9", bytes(4)),
    "-shm": (),  # must not be opened: closing it would release the locks of readers in this process
}
INDEX_PAGE = 4096  # bytes; SQLite makes "-shm" files 3 bytes long first and then adds such pages

Identity = tuple[int, int]


class RunFile:
    """A run's file, locked until ``release``."""

    def __init__(self, given: Path) -> None:
        if is_folder(given):
            raise RamifyError(f"{given} is a folder: name a file for the run")
        if not is_folder(given.parent):
            raise RamifyError(f"there is no folder {given.parent} for the run {given.name}")
        self.given = given
        self.path = resolve_output(given)
        self._place = given.absolute()  # a symbolic link may be changed
        self._draft = self.path.with_name(f".{self.path.name}.ramify-new")
        self._opened: dict[str, Identity | None] = {}
        self._contents: tuple[int, int] = (0, 0)
        self._lock: Lock | None = Lock(given)
        try:
            self._check_side_files()
            self._remove_draft()
        except BaseException:
            self.release()
            raise

    @property
    def is_new(self) -> bool:
        """Whether there is no run yet: the file is missing or empty."""
        found = status(self.path)
        return found is None or found.st_size == 0

    def new_draft(self) -> Path:
        """Create the file under another name, so that it appears complete or not at all (``publish``)."""
        os.close(os.open(self._draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666))
        return self._draft

    def publish(self) -> None:
        """Give the draft the name of the run. A file that has appeared there meanwhile is kept, unless it is empty."""
        found = status(self.path, follow=False)
        if found is None:
            try:
                os.link(self._draft, self.path)  # fails if the name is taken
            except FileExistsError:
                raise RamifyError(f"{self.given} was created by another process: choose another file") from None
            except OSError:  # a file system without links
                self._draft.rename(self.path)
                return
            self._draft.unlink()
        elif stat.S_ISREG(found.st_mode) and found.st_size == 0:
            self._draft.chmod(stat.S_IMODE(found.st_mode))
            self._draft.replace(self.path)
        else:
            raise RamifyError(f"{self.given} was created by another process: choose another file")

    def _check_side_files(self) -> None:
        for suffix in SQLITE_SIDE_FILES:
            side = _with_suffix(self.path, suffix)
            if status(side, follow=False) is None:
                continue
            if self.is_new:  # SQLite would apply a log to the new file
                raise RamifyError(f"{side} exists without its run {self.path.name}: move both together, or delete it")
            if not _is_by_sqlite(side, suffix):
                raise RamifyError(
                    f"{side} would be overwritten, and SQLite did not write it: move it, or choose another file"
                )

    def _remove_draft(self) -> None:
        """Remove the draft of a killed process."""
        found = status(self._draft, follow=False)
        if found is None:
            return
        if not stat.S_ISREG(found.st_mode) or (found.st_size and not has_our_id(self._draft)):
            raise RamifyError(f"{self._draft} was not written by Ramify: move it, or choose another file")
        for suffix in (*SQLITE_SIDE_FILES, ""):  # the draft last, because it shows that the others are ours
            _with_suffix(self._draft, suffix).unlink(missing_ok=True)

    def opened(self) -> None:
        """Remember which files SQLite has opened."""
        self._opened = {suffix: _identity(_with_suffix(self.path, suffix)) for suffix in ("", "-wal", "-shm")}
        self.written()

    def written(self) -> None:
        """Remember the time of our last write."""
        self._contents = self._last_change()

    def _last_change(self) -> tuple[int, int]:
        found = _seen(self.path)
        return (found.st_mtime_ns, found.st_size) if found else (0, 0)

    @property
    def was_changed(self) -> bool:
        """Whether the open file has been changed since our last write, e.g. by a copy onto it."""
        in_place = bool(self._opened) and _identity(self.path) == self._opened[""]
        return in_place and self._last_change() != self._contents

    def loss(self) -> str | None:
        """Return what happened to the open files if they are no longer in their places, else None."""
        for suffix, before in self._opened.items():
            now = _identity(_with_suffix(self.path, suffix) if suffix else self._place)
            if now != before:
                how = "deleted or moved" if now is None else "replaced by another file"
                return f"{self.given}{suffix} was {how} while the run was being written"
        return None

    def rescue(self, connection: sqlite3.Connection, happened: str, rows: int) -> RamifyError:
        """Copy an open database whose file is lost to a new file. Return the error that says so."""
        errors = []
        for folder in self._rescue_folders():
            try:
                new = create_new(folder / self.path.name, RESCUED)
                try:
                    connection.execute("VACUUM INTO ?", (str(new),))
                except BaseException:
                    new.unlink()
                    raise
            except (OSError, sqlite3.Error) as error:
                errors.append(f"{folder}: {error}")
                continue
            with suppress(sqlite3.Error):  # a moved file becomes complete, and no other file meets our log
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return RamifyError(
                f"{happened}: its {rows:,} rows are in {new}; move it to {self.given}, and the same command resumes"
            )
        return RamifyError(f"{happened}, and its {rows:,} rows could not be saved ({'; '.join(errors)})")

    def _rescue_folders(self) -> Iterator[Path]:
        yield self.path.parent
        with suppress(OSError):
            yield Path.cwd()
        yield Path(tempfile.gettempdir())

    def remove_logs(self) -> None:
        """Remove the empty logs of a lost database, after it was closed."""
        for suffix in ("-wal", "-shm"):
            side = _with_suffix(self.path, suffix)
            if self._opened.get(suffix) is not None and _identity(side) == self._opened[suffix]:
                side.unlink(missing_ok=True)

    def release(self) -> None:
        """Unlock the run. Its files are no longer watched."""
        self._opened = {}
        if self._lock is not None:
            self._lock.release()
            self._lock = None


@contextmanager
def complete_run(path: Path) -> Iterator[Path]:
    """Yield the name of an empty file. At the end of the block it gets the name ``path``, which must be free."""
    file = RunFile(path)
    try:
        draft = file.new_draft()
        try:
            yield draft
            file.publish()
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    finally:
        file.release()


def has_our_id(path: Path) -> bool:
    """Return whether the header of a file has our application id, at byte 68.

    Never call it for a database that is open in this process: closing a file releases SQLite's locks on it.
    """
    with path.open("rb") as file:
        return file.read(72)[68:] == APPLICATION.to_bytes(4, "big")


def _is_by_sqlite(side: Path, suffix: str) -> bool:
    found = side.lstat()
    if not stat.S_ISREG(found.st_mode):
        return False
    if suffix == "-shm":
        return found.st_size == 3 or found.st_size % INDEX_PAGE == 0
    with side.open("rb") as file:
        return not found.st_size or file.read(4) in SQLITE_SIDE_FILES[suffix]


def _with_suffix(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _identity(path: Path) -> Identity | None:
    """Return what distinguishes a file from all others, or None if it cannot be seen."""
    found = _seen(path)
    return None if found is None else (found.st_dev, found.st_ino)


def _seen(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
