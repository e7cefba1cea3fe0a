"""Small games for the tests, written as a user would write them."""

from functools import lru_cache
from pathlib import Path

import ramify

FOLDER = Path(__file__).parent


@lru_cache
def load(name: str) -> ramify.Game:
    """The toy of that name, with its parameters if any: ``load("corridor(length=9)")``."""
    stem, bracket, rest = name.partition("(")
    return ramify.load(f"{FOLDER / stem}.py{bracket}{rest}")
