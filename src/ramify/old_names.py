"""Names that users have stored, by what they are called now: agent texts, files and ``--json`` keys keep working.

Old names are accepted for ever, with a note. Run files keep the old ones: ``stored_text`` turns a text into the form
that digests and comparisons of stored runs use.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable

# Agent texts: parameters and their values, strategies. Several parameters may have had one name.
PARAMETERS = {
    "simultaneous": "at_once",
    "batch_size": "lanes",
    "initial": "start",
    "max_length": "longest",
    "min_visits": "threshold",
    "seconds_per_move": "each",
    "min_seconds": "least",
    "max_seconds": "most",
    "divisor": "part",
    "single_player": "alone",
    "sign_error": "slip",
    "wait_for_samples": "samples",
}
VALUES = {
    "joint": "jointly",
    "turn_based": "in_turns",
    "open_loop": "open",
}
STRATEGIES = {
    "chain": "in_order",
    "quality": "reward_is_quality",
}
_STORED = [(re.compile(rf"\b{new}(?==)"), old) for new, old in PARAMETERS.items()]
_STORED += [(re.compile(rf"(?<==){new}\b(?![(:])"), old) for new, old in VALUES.items()]
_STORED += [(re.compile(rf"(?<==){new}\b"), old) for new, old in STRATEGIES.items()]


def stored_text(text: str) -> str:
    """An agent's text with the names that runs were first stored under."""
    for pattern, old in _STORED:
        text = pattern.sub(old, text)
    return text


def current_name(name: str, known: Iterable[str], table: dict[str, str]) -> str:
    """Return what ``name`` is called now: one of ``known``, or ``name`` itself. Warn if it is an old name."""
    known = tuple(known)
    if name in known:
        return name
    new = next((one for one in known if table.get(one) == name), None)
    if new is None:
        return name
    note(name, new)
    return new


def note(old: str, new: str) -> None:
    """Warn that a name has changed."""
    warnings.warn(f"'{old}' is now called '{new}'", DeprecationWarning, stacklevel=2)
