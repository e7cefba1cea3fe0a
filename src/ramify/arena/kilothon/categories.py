"""Categories of built-in games, rulesheets and OpenSpiel's games, from ``games.csv``."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources

CATEGORIES = ("hunt", "race", "sow", "space", "war")  # Parlett's, as in figure 4; anything else is OTHER
OTHER = "other"


@cache
def categories() -> dict[str, str]:
    """Map each game to its category."""
    text = (resources.files("ramify.arena.kilothon") / "games.csv").read_text(encoding="utf-8")
    return {row["game"]: row["category"] for row in csv.DictReader(text.splitlines())}
