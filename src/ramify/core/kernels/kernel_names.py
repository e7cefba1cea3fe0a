"""Names of kernels, made from names of users' files and functions. They are identifiers and names of files."""

import hashlib
import re

MAX_LENGTH = 100  # systems allow 255 bytes in the name of a file, and Numba's has the name twice


def kernel_name(*parts: str) -> str:
    """Join the parts. A name such as ``my-game_legal`` gets a digest, so no two names become the same."""
    whole = "_".join(parts)
    if whole.isascii() and whole.isidentifier() and len(whole) <= MAX_LENGTH:
        return whole
    digest = hashlib.sha256(whole.encode(errors="surrogateescape")).hexdigest()[:12]
    return f"kernel_{re.sub(r'[^a-zA-Z0-9_]', '_', whole)[: MAX_LENGTH // 2]}_{digest}"
