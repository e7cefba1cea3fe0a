"""Lock that allows one driver per run. The system releases it when its process dies, even by SIGKILL."""

from __future__ import annotations

import fcntl
import os
import socket
import stat
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from ramify.errors import RamifyError
from ramify.output_files import status
from ramify.paths import resolved

MARK = "ramify: "  # first bytes of a lock
WAIT_SECONDS = 1.0  # for a holder that was just killed: its child processes end a moment later
OLD_MARK = b"process "  # first bytes of the lock of older versions, FILE.lock


class Lock:
    """Holds ``.FILE.ramify-lock`` until ``release``. Links in the path are resolved."""

    def __init__(self, path: Path) -> None:
        target = resolved(path)
        _check_older_driver(path, target)
        self.path = target.with_name(f".{target.name}.ramify-lock")
        deadline = monotonic() + WAIT_SECONDS
        while True:
            self._file = self._open(path)
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic() < deadline:
                    os.close(self._file)
                    sleep(0.02)
                    continue
                holder = os.pread(self._file, 200, 0).decode(errors="replace").removeprefix(MARK).strip()
                os.close(self._file)
                raise _in_use(path, holder) from None
            except OSError as error:
                os.close(self._file)
                raise RamifyError(f"cannot lock {self.path}: {error.strerror}") from None
            if self._is_current():
                break
            os.close(self._file)  # the previous holder removed the file between open and flock
        try:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{MARK}process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        except OSError:
            pass  # disk full: the lock works, only the holder's name is missing

    def _open(self, path: Path) -> int:
        """Open the lock file, or create it. Raise RamifyError if it is not ours."""
        try:
            found = status(self.path, follow=False)
            if found is not None and not stat.S_ISREG(found.st_mode):
                raise self._not_ours()
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644)
        except OSError as error:
            raise RamifyError(f"cannot write {path}: {error.strerror} ({self.path})") from None
        if not MARK.encode().startswith(os.pread(file, len(MARK), 0)):
            os.close(file)
            raise self._not_ours()
        return file

    def _not_ours(self) -> RamifyError:
        return RamifyError(f"{self.path} is not a lock of Ramify: move it, or choose another file")

    def _is_current(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file), self.path.stat())
        except OSError:
            return False

    def release(self) -> None:
        if self._is_current():  # unlink before unlocking, so that no process can lock a removed file
            with suppress(OSError):
                self.path.unlink()
        os.close(self._file)


def _check_older_driver(path: Path, target: Path) -> None:
    """Raise RamifyError if a driver of an older version, which locks ``FILE.lock``, writes the run."""
    lock = target.with_name(target.name + ".lock")
    with suppress(OSError):  # most often there is none; then it is not in use
        file = os.open(lock, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            holder = os.pread(file, 200, 0)
            if holder.startswith(OLD_MARK):
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _in_use(path, holder.decode(errors="replace").strip()) from None
        finally:
            os.close(file)


def _in_use(path: Path, holder: str) -> RamifyError:
    return RamifyError(f"{path} is in use by {holder or 'another process'}: wait for it or use another file")
