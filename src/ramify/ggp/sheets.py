"""The rulesheets that come with Ramify: ``games/gdl/NAME.kif``, found by scanning."""

from functools import cache
from pathlib import Path

from ramify.errors import RamifyError, nearest, why

SHEETS = Path(__file__).parents[1] / "games" / "gdl"


@cache
def names() -> tuple[str, ...]:
    """Their names."""
    return tuple(sorted(path.stem for path in SHEETS.glob("*.kif")))


def rulesheet(name: str) -> str:
    """The text of one."""
    if name not in names():
        raise RamifyError(f"no rulesheet of ours is called '{name}'; {nearest(name, names())}")
    return (SHEETS / f"{name}.kif").read_text(encoding="utf-8")


def text_of(source: str) -> str:
    """The text of a rulesheet: one of ours by its name, or a file."""
    name = source.removeprefix("gdl:")
    if name in names():
        return rulesheet(name)
    try:
        return Path(name).expanduser().read_text(encoding="utf-8")
    except (OSError, ValueError, RuntimeError) as error:
        if "/" not in name and "." not in name:
            return rulesheet(name)
        reason = why(error) if isinstance(error, OSError | ValueError) else str(error)
        raise RamifyError(f"the rulesheet {source} cannot be read: {reason}") from None


def title(name: str) -> str:
    """The first line of one, a comment that says which game it is."""
    return rulesheet(name).partition("\n")[0].lstrip("; ")
