"""Signatures on disk: the recorded one of the package, or any other file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ramify.bench.signature.numbers import Signature
from ramify.errors import RamifyError, os_error_text

RECORDED = Path(__file__).with_name("recorded.json")


def write(found: Signature, file: Path) -> None:
    """Write a signature as JSON: sorted, one case per line."""
    text = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RamifyError(f"cannot write {file}: {os_error_text(error)}") from None


def read(file: Path = RECORDED) -> Signature:
    """Read a signature written by ``write``."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RamifyError(f"cannot read {file}: {os_error_text(error)}") from None
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(isinstance(numbers, dict) for numbers in found.values()):
        raise RamifyError(f"{file} is not a recorded signature: use a file that `ramify bench --record` wrote")
    return found


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
