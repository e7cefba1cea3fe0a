"""Where the cache is: a folder that only its user can write and that carries our mark.

Machine code from the cache is executed, so whoever can write the folder, or replace it by another one, can run code as
its user. A folder that is not private is not used. The mark is a CACHEDIR.TAG (https://bford.info/cachedir); a folder
without it may hold a user's files, so nothing is stored there and nothing deleted.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from ramify.core.kernels import checked_files
from ramify.errors import RamifyError

OTHER_NAME = "ramify-cache"  # of the folder, if a folder `ramify` holds other files
REPLACEMENT = "RAMIFY_PRIVATE_CACHE"  # environment variable: the wanted folder and the one used instead, for workers

TAG = "CACHEDIR.TAG"
TAG_SIGNATURE = "Signature: 8a477f597d28d172789f06886806bc55\n# Ramify"
TAG_TEXT = f"""{TAG_SIGNATURE} stores compiled code and propnets in this folder. They can be deleted at any time
# (`ramify warm --clear`). For information about cache directory tags see https://bford.info/cachedir/
"""

# What Ramify stores in the folder: one folder per version of its sources, propnets, the Java helper, a C++ program.
ENTRY = re.compile(r"[0-9a-f]{16}|gdl|ludii|reference")

OTHER_FILES = "it holds other files"
SHARED = stat.S_IWGRP | stat.S_IWOTH
OVERFLOW_USER = 65534  # Linux shows it for users from outside a container
ALL_USERS = ["0", "0", "4294967295"]  # in /proc/self/uid_map, outside of containers


def cache_root() -> Path:
    """Folder of all versions of the cache; NUMBA_CACHE_DIR overrides it."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return _usable(Path(os.path.realpath(Path(chosen) / "ramify" if chosen else user_folder())))


def user_folder() -> Path:
    import platformdirs  # noqa: PLC0415  (only needed when no folder was named)

    return Path(os.path.realpath(platformdirs.user_cache_dir("ramify")))


def clear(root: Path) -> None:
    """Delete what Ramify has stored in a folder that carries its mark. Symbolic links and other files stay."""
    if not is_marked(root):
        raise RamifyError(
            f"cannot clear {root}: it has no {TAG} of Ramify; delete it yourself if it holds nothing but compiled code"
        )
    for entry in root.iterdir():
        if ENTRY.fullmatch(entry.name) and not entry.is_symlink():
            if entry.is_dir():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink(missing_ok=True)


def is_marked(folder: Path) -> bool:
    tag = folder / TAG
    try:
        return tag.is_file() and tag.read_bytes().startswith(TAG_SIGNATURE.encode())
    except OSError:
        return False


@cache
def _usable(wanted: Path) -> Path:
    """Return the folder to use in place of the wanted one, usually the same. Prints a note if others can write it."""
    first = f"{wanted}{os.pathsep}"
    inherited = os.environ.get(REPLACEMENT, "")
    if inherited.startswith(first) and exposure(Path(inherited[len(first) :])) is None:
        return Path(inherited[len(first) :])
    reasons: list[str] = []
    for folder in _candidates(wanted):
        reason = _refusal(folder)
        # If the wanted folder cannot be written, nothing is cached and `warn_not_cached` says so.
        if reason is None and (folder == wanted or os.access(folder, os.W_OK)):
            break
        reasons.append(reason or "it cannot be written")
    if reasons not in ([], [OTHER_FILES]):
        os.environ[REPLACEMENT] = f"{first}{folder}"
        sys.stderr.write(f"note: the cache folder {wanted} is not used because {reasons[0]}; using {folder}\n")
    return folder


def _candidates(wanted: Path) -> Iterator[Path]:
    yield wanted
    yield wanted.with_name(OTHER_NAME)
    yield user_folder()
    with suppress(OSError):  # there may be no temporary folder
        temporary = Path(os.path.realpath(tempfile.gettempdir()))
        yield temporary / (f"ramify-{os.getuid()}" if sys.platform != "win32" else OTHER_NAME)
        fresh = Path(tempfile.mkdtemp(prefix="ramify-", dir=temporary))
        atexit.register(shutil.rmtree, fresh, ignore_errors=True)
        yield fresh
    yield Path(os.devnull) / "ramify"  # nothing can be stored there


def _refusal(folder: Path) -> str | None:
    """Make and mark a folder. Return why it must not be used, else None."""
    reason = exposure(folder)
    if reason is None and _make(folder):
        reason = exposure(folder)  # somebody else may have been faster
        if reason is None and not _mark(folder):
            return OTHER_FILES
    return reason


def exposure(folder: Path) -> str | None:
    """Return how others can write or replace a folder (or make it, if it does not exist), else None.

    A sticky folder, such as /tmp, protects what it holds from everybody but the owners.
    """
    if sys.platform == "win32":  # permissions are not shown by the mode
        return None
    trusted = _trusted_users()
    for place in (folder, *folder.parents):
        try:
            status = place.stat()
        except OSError:
            continue
        if status.st_uid not in trusted:
            return f"{place} belongs to another user"
        sticky = place != folder and status.st_mode & stat.S_ISVTX
        if status.st_mode & SHARED and not sticky and not _only_group_of_owner(status):
            return f"others can write {place}"
    return None


@cache
def _trusted_users() -> set[int]:
    """Return this user, root and, in a container, the unknown users outside, who own the system's folders."""
    trusted = {0, os.geteuid()}
    with suppress(OSError):
        if Path("/proc/self/uid_map").read_text().split() != ALL_USERS:
            trusted.add(OVERFLOW_USER)
    return trusted


def _only_group_of_owner(status: os.stat_result) -> bool:
    """Whether only a group can write that has no members but the owner, as many Linux systems give to each user."""
    if status.st_mode & stat.S_IWOTH:
        return False
    import grp  # noqa: PLC0415  (rarely needed)
    import pwd  # noqa: PLC0415

    try:
        owner, group = pwd.getpwuid(status.st_uid).pw_name, grp.getgrgid(status.st_gid)
    except KeyError:
        return False
    return group.gr_name == owner and set(group.gr_mem) <= {owner}


def _make(folder: Path) -> bool:
    """Make a folder and its missing parents, all of them private. Return whether it is there."""
    try:
        for missing in reversed([place for place in (folder, *folder.parents) if not place.exists()]):
            missing.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return False
    return folder.is_dir()


def _mark(folder: Path) -> bool:
    """Mark a folder as ours and close it to others. Return False if it holds other files than ours.

    Caches of versions before the mark hold only what matches ENTRY.
    """
    try:
        names = set(os.listdir(folder))  # noqa: PTH208  (names, not paths)
    except OSError:
        return True  # nothing can be read or stored there
    marked = is_marked(folder)
    if not marked and (names == {TAG} or not all(ENTRY.fullmatch(name) or name.startswith(TAG) for name in names)):
        return False
    with suppress(OSError):
        folder.chmod(0o700)
        if not marked:
            checked_files.replace(folder / TAG, TAG_TEXT.encode())
    return True
