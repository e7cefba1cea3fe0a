"""Lock that allows one driver per run. The system releases it when its process dies, even by SIGKILL."""

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
                raise RamifyError(f"cannot write {path}: {error.strerror} ({self.path})") from None
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(self._file, 200, 0).decode(errors="replace").strip() or "another process"
                os.close(self._file)
                raise RamifyError(f"{path} is in use by {holder}: wait for it or use another file") from None
            except OSError as error:
                os.close(self._file)
                raise RamifyError(f"cannot lock {self.path}: {error.strerror}") from None
            if self._is_current():
                break
            os.close(self._file)  # the previous holder removed the file between open and flock
        try:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"process {os.getpid()} on {socket.gethostname()}".encode(), 0)
        except OSError:
            pass  # disk full: the lock works, only the holder's name is missing

    def _is_current(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._file), self.path.stat())
        except FileNotFoundError:
            return False

    def release(self) -> None:
        self.path.unlink(missing_ok=True)  # before unlocking, so that no process can lock a removed file
        os.close(self._file)
