"""Games in the Game Description Language (GDL): ``gdl:rules/chomp.kif``, or ``gdl:chomp`` for a built-in rulesheet."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from ramify.contract.game import Game
from ramify.errors import RamifyError, os_error_text
from ramify.ggp.grounding import GroundingLimits, NoPropnetError
from ramify.ggp.interpreted_game import interpreted_game
from ramify.ggp.propnet_cache import load_or_build
from ramify.ggp.propnet_game import PropnetGame
from ramify.ggp.rules import Rulesheet
from ramify.paths import expanded, is_file

BUILT_IN_RULESHEETS = Path(__file__).parents[1] / "games" / "gdl"


def load(text: str) -> Game:
    """Load a rulesheet: a file, or the name of a built-in one."""
    path = rulesheet_path(text)
    try:
        stamp = path.stat()
        return _loaded(text, path, stamp.st_mtime_ns, stamp.st_size).for_search()
    except OSError as error:
        raise RamifyError(f"cannot read rulesheet {text}: {os_error_text(error)}") from None


def rulesheet_path(text: str) -> Path:
    """Return the file of a rulesheet; raise RamifyError if it does not exist. Built-in names come first."""
    text = text.strip()
    built_in = BUILT_IN_RULESHEETS / f"{text}.kif"
    if "/" not in text and is_file(built_in):
        return built_in
    path = expanded(text)
    if text and is_file(path):
        return path
    known = ", ".join(sorted(file.stem for file in BUILT_IN_RULESHEETS.glob("*.kif")))
    raise RamifyError(f"no rulesheet '{text}': use gdl:FILE" + (f" or one of {known}" if known else ""))


def read_rules(text: str) -> Rulesheet:
    return Rulesheet.from_text(read_text(text), text)


def read_text(text: str) -> str:
    try:
        return rulesheet_path(text).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise RamifyError(f"cannot read rulesheet {text}: {os_error_text(error)}") from None


def build_game(rules: Rulesheet, name: str, limits: GroundingLimits | None = None) -> Game:
    """Build a game from rules: a propnet, or the interpreter (with a warning) if the propnet would be too large."""
    try:
        return PropnetGame(name, load_or_build(rules, limits))
    except NoPropnetError as error:
        sys.stderr.write(f"ramify: {error}; using the interpreter, which is thousands of times slower\n")
        return interpreted_game(rules, name)


@cache
def _loaded(text: str, path: Path, changed: int, size: int) -> Game:  # noqa: ARG001  (cache keys)
    return build_game(Rulesheet.from_text(path.read_text(encoding="utf-8", errors="replace"), text), f"gdl:{text}")
