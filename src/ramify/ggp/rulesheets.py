"""Built-in rulesheets: ``games/gdl/NAME.kif``, found by scanning the folder."""

from functools import cache
from pathlib import Path

from ramify.errors import RamifyError, suggestion

SHEETS = Path(__file__).parents[1] / "games" / "gdl"


@cache
def names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in SHEETS.glob("*.kif")))


def rulesheet(name: str) -> str:
    if name not in names():
        raise RamifyError(f"there is no built-in rulesheet '{name}'; {suggestion(name, names())}")
    return (SHEETS / f"{name}.kif").read_text(encoding="utf-8")


def title(name: str) -> str:
    """Return a rulesheet's first line, a comment with the game's title."""
    return rulesheet(name).partition("\n")[0].lstrip("; ")


def about(name: str) -> str:
    """Return a rulesheet's opening comment: the game's title and its rules in words."""
    lines = []
    for line in rulesheet(name).splitlines():
        if not line.startswith(";"):
            break
        lines.append(line.lstrip(";").strip())
    return "\n".join(lines)
