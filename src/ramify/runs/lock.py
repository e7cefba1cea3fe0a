"""One driver a run: a lock on a file beside it, which the system releases when the holder dies, however it dies."""

from __future__ import annotations

import fcntl
import os
import socket
from pathlib import Path

from ramify.errors import RamifyError


class Lock:
    """Holds ``FILE.lock`` until ``release``."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(path.name + ".lock")
        while True:
            try:
                self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError as error:
                raise RamifyError(f"{path} cannot be written: {error.strerror} ({self.path})") from None
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(self._file, 200, 0).decode(errors="replace").strip() or "another process"
                os.close(self._file)
                raise RamifyError(f"{path} is in use by {holder}; wait for it or use another file") from None
            except OSError as error:
                os.close(self._file)
                raise RamifyError(f"{self.path} cannot be locked: {error.strerror}") from None
            if self._is_ours():
                break
            os.close(self._file)  # the last holder removed the file between our two steps
        try:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        except OSError:
            pass  # a full disk: the lock holds, only its holder's name is missing

    def _is_ours(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file), self.path.stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let others in."""
        self.path.unlink(missing_ok=True)  # while it is locked, so that nobody can hold a file that is gone
        os.close(self._file)
