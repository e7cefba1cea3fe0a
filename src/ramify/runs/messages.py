"""Messages for a run file that does not match the plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ramify.errors import RamifyError
from ramify.old_names import stored_text

Title = tuple[str, Callable[[Any], str]]  # how messages name a key of the description, and format its value


@dataclass(frozen=True)
class RunMessages:
    """The messages of one kind of run."""

    titles: Mapping[str, Title]  # one per key in which a run and its plan must agree
    mismatch_hint: str  # what to do if they disagree
    restart_hint: str = "use another file"  # what to do if the run cannot be resumed

    def other_run(self, path: Path, why: str) -> RamifyError:
        """Return the error for a file that holds a different run."""
        return RamifyError(f"{path} holds another run: {why}; {self.mismatch_hint}")

    def check_descriptions(self, path: Path, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        """Raise RamifyError for the first difference between two descriptions."""
        for key, (title, format_value) in self.titles.items():
            if _in_stored_names(stored.get(key)) == _in_stored_names(wanted[key]):
                continue
            old, new = (
                _formatted(format_value, one[key]) if one.get(key) not in (None, {}) else "none"
                for one in (stored, wanted)
            )
            if old == new:  # e.g. labels, which the format leaves out
                old, new = str(stored.get(key)), str(wanted[key])
            raise self.other_run(path, f"its {title} {old}, not {new}")


def _in_stored_names(value: Any) -> Any:
    """Replace new names in all texts of a value by those that runs were first stored under, to compare values."""
    if isinstance(value, str):
        return stored_text(value)
    if isinstance(value, Mapping):
        return {key: _in_stored_names(one) for key, one in value.items()}
    return [_in_stored_names(one) for one in value] if isinstance(value, list) else value


def _formatted(format_value: Callable[[Any], str], value: Any) -> str:
    """Format a stored value; a damaged file may hold one that cannot be formatted."""
    try:
        return format_value(value)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return str(value)
