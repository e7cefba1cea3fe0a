"""The games that need no other program's word on their category: ``games.csv``."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources

CATEGORIES = ("hunt", "race", "sow", "space", "war")  # of Parlett, those of figure 4; what is none of them is OTHER
OTHER = "other"


@cache
def categories() -> dict[str, str]:
    """The category of every game in it."""
    text = (resources.files("ramify.arena.kilothon") / "games.csv").read_text(encoding="utf-8")
    return {row["game"]: row["category"] for row in csv.DictReader(text.splitlines())}
