"""The numbers of the signature: one per case, and one per family."""

from __future__ import annotations

import hashlib

from ramify.bench.signature.digest import DIGITS, number
from ramify.bench.signature.families.known import families

Signature = dict[str, dict[str, int]]  # by family and by the name of a case


def signature() -> Signature:
    """Return the number of every case; cases that do not fit have none."""
    return {name: family_numbers(name) for name in families()}


def family_numbers(name: str) -> dict[str, int]:
    """Return the number of every case of a family."""
    found: dict[str, int] = {}
    for case in families()[name]():
        if case.name in found:
            raise ValueError(f"duplicate case '{case.name}' in family {name}")
        if (value := number(case.written())) is not None:
            found[case.name] = value
    return found


def combined(found: Signature) -> dict[str, int]:
    """Return one number per family, which changes with any of its cases."""
    made = {}
    for name, numbers in found.items():
        text = "\n".join(f"{case} {value}" for case, value in sorted(numbers.items()))
        digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
        made[name] = int.from_bytes(digest) % 10**DIGITS
    return made
