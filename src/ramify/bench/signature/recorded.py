"""Signatures on disk: the recorded one of the package, or any other file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ramify.bench.signature.numbers import Signature
from ramify.errors import RamifyError, os_error_text
from ramify.output_files import check_replaceable, write_output
from ramify.paths import is_folder, read_text

RECORDED = Path(__file__).with_name("recorded.json")


def write(found: Signature, file: Path) -> None:
    """Write a signature as JSON: sorted, one case per line."""
    text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    try:
        write_output(file, text.encode(), lambda data: _signature(data) is not None)
    except OSError as error:
        raise RamifyError(f"cannot write {file}: {os_error_text(error)}") from None


def check_writable(file: Path) -> None:
    """Raise if ``write`` cannot write a file, or would replace one that is not a signature."""
    try:
        check_replaceable(file, lambda data: _signature(data) is not None)
    except OSError as error:
        raise RamifyError(f"cannot write {file}: {os_error_text(error)}") from None
    if not is_folder(file.parent):
        raise RamifyError(f"cannot write {file}: there is no folder {file.parent}")


def read(file: Path = RECORDED) -> Signature:
    """Read a signature written by ``write``."""
    try:
        found = _signature(read_text(file, errors="replace").encode())
    except OSError as error:
        raise RamifyError(f"cannot read {file}: {os_error_text(error)}") from None
    if found is None:
        raise RamifyError(f"{file} is not a recorded signature: use a file that `ramify bench --record` wrote")
    return found


def _signature(data: bytes) -> Signature | None:
    """Return the signature that a file holds, or None."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not all(isinstance(numbers, dict) for numbers in found.values()):
        return None
    return found if all(isinstance(value, int) for numbers in found.values() for value in numbers.values()) else None


def differences(before: Signature, now: Signature) -> Iterator[str]:
    """Yield one line per case that is new, gone or changed; families missing in ``now`` are skipped."""
    for family, numbers in now.items():
        known = before.get(family, {})
        for case in sorted(known.keys() | numbers.keys()):
            if case not in numbers:
                yield f"{family}: gone: {case}"
            elif case not in known:
                yield f"{family}: new: {case}"
            elif known[case] != numbers[case]:
                yield f"{family}: changed: {case}"
