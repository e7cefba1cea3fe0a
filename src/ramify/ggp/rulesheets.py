"""The rulesheets that come with Ramify: ``games/gdl/NAME.kif``, found by scanning."""

from functools import cache
from pathlib import Path

from ramify.errors import RamifyError, suggestion

SHEETS = Path(__file__).parents[1] / "games" / "gdl"


@cache
def names() -> tuple[str, ...]:
    """Their names."""
    return tuple(sorted(path.stem for path in SHEETS.glob("*.kif")))


def rulesheet(name: str) -> str:
    """The text of one."""
    if name not in names():
        raise RamifyError(f"no rulesheet of ours is called '{name}'; {suggestion(name, names())}")
    return (SHEETS / f"{name}.kif").read_text(encoding="utf-8")


def title(name: str) -> str:
    """The first line of one, a comment that says which game it is."""
    return rulesheet(name).partition("\n")[0].lstrip("; ")


def about(name: str) -> str:
    """The comment at its head: which game it is, and its rules in words."""
    lines = []
    for line in rulesheet(name).splitlines():
        if not line.startswith(";"):
            break
        lines.append(line.lstrip(";").strip())
    return "\n".join(lines)
