"""Games written in the Game Description Language: ``gdl:rules/chomp.kif``, or ``gdl:chomp`` for one of our own."""

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

BUILT_IN_RULESHEETS = Path(__file__).parents[1] / "games" / "gdl"


def load(text: str) -> Game:
    """The game of a rulesheet: a file, or one of ours by its name."""
    path = rulesheet_path(text)
    try:
        stamp = path.stat()
        return _loaded(text, path, stamp.st_mtime_ns, stamp.st_size).for_search()
    except OSError as error:
        raise RamifyError(f"the rulesheet {text} cannot be read: {os_error_text(error)}") from None


def rulesheet_path(text: str) -> Path:
    """The file of a rulesheet."""
    text = text.strip()
    own = BUILT_IN_RULESHEETS / f"{text}.kif"
    if "/" not in text and own.is_file():
        return own
    path = Path(text).expanduser()
    if text and path.is_file():
        return path
    known = ", ".join(sorted(file.stem for file in BUILT_IN_RULESHEETS.glob("*.kif")))
    ours = f", and none of ours is called so: {known}" if known else ""
    raise RamifyError(f"there is no rulesheet {text or 'without a name'}{ours}; write gdl:FILE")


def read_rules(text: str) -> Rulesheet:
    """The rules of a rulesheet."""
    return Rulesheet.from_text(read_text(text), text)


def read_text(text: str) -> str:
    """The text of a rulesheet."""
    try:
        return rulesheet_path(text).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise RamifyError(f"the rulesheet {text} cannot be read: {os_error_text(error)}") from None


def game_of(rules: Rulesheet, name: str, limits: GroundingLimits | None = None) -> Game:
    """The game of rules: by its network, or, where that is too large, by the interpreter, which a sentence says."""
    try:
        return PropnetGame(name, load_or_build(rules, limits))
    except NoPropnetError as error:
        sys.stderr.write(f"ramify: {error}; it is played by the interpreter, thousands of times slower\n")
        return interpreted_game(rules, name)


@cache
def _loaded(text: str, path: Path, changed: int, size: int) -> Game:  # noqa: ARG001  (what tells a new version)
    return game_of(Rulesheet.from_text(path.read_text(encoding="utf-8", errors="replace"), text), f"gdl:{text}")
