"""Files of the cache, each with a checksum of its content and of its purpose.

The checksum finds flipped bits, truncated files and files in the place of others; such a file counts as missing. It
does not find forgeries: the folder itself keeps others out (``cache_location``).
"""

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

CHECKSUM_BYTES = 32


def checksum(purpose: str, content: bytes) -> bytes:
    """Return a checksum. ``purpose`` names everything that determines the content."""
    label = purpose.encode(errors="surrogatepass")
    found = hashlib.blake2b(len(label).to_bytes(8, "little") + label, digest_size=CHECKSUM_BYTES)
    found.update(content)
    return found.digest()


def read(path: Path, purpose: str) -> bytes | None:
    """Return the content of a file, or None if the file is missing, damaged or was written for another purpose."""
    try:
        whole = path.read_bytes()
    except OSError:
        return None
    content = whole[CHECKSUM_BYTES:]
    return content if whole[:CHECKSUM_BYTES] == checksum(purpose, content) else None


def write(path: Path, purpose: str, content: bytes) -> None:
    """Write a file with its checksum. Raises OSError."""
    replace(path, checksum(purpose, content) + content)


def replace(path: Path, content: bytes) -> None:
    """Write a file at once: other processes may read it, or write the same file. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, temporary = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name[:20]}.", suffix=".tmp")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise
