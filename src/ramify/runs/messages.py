"""What a user reads when the file of a run does not fit the plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ramify.errors import RamifyError
from ramify.old_names import stored_text

Title = tuple[str, Callable[[Any], str]]  # how a difference is named, and how each of its sides is said


@dataclass(frozen=True)
class RunMessages:
    """The phrases of one kind of run."""

    titles: Mapping[str, Title]  # one for every key of the description in which a run and its plan must agree
    mismatch_hint: str  # what to do where they disagree
    restart_hint: str = "use another file"  # what to do where the run cannot go on at all

    def other_run(self, path: Path, why: str) -> RamifyError:
        """The error for a file with jobs of another plan."""
        return RamifyError(f"{path} holds another run: {why}; {self.mismatch_hint}")

    def check_descriptions(self, path: Path, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
        """Raise an error that names the first difference between two descriptions."""
        for key, (title, say) in self.titles.items():
            if _in_stored_names(stored.get(key)) == _in_stored_names(wanted[key]):
                continue
            old, new = (_said(say, one[key]) if one.get(key) not in (None, {}) else "none" for one in (stored, wanted))
            if old == new:  # as with labels, which are not said
                old, new = str(stored.get(key)), str(wanted[key])
            raise self.other_run(path, f"its {title} {old}, not {new}")


def _in_stored_names(value: Any) -> Any:
    """Replace new names in all texts of a value by those that runs were first stored under, to compare values."""
    if isinstance(value, str):
        return stored_text(value)
    if isinstance(value, Mapping):
        return {key: _in_stored_names(one) for key, one in value.items()}
    return [_in_stored_names(one) for one in value] if isinstance(value, list) else value


def _said(say: Callable[[Any], str], value: Any) -> str:
    """One side of a difference; as it is, where a damaged file has nonsense there."""
    try:
        return say(value)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError):
        return str(value)
