"""Games written in the Game Description Language: ``gdl:rules/chomp.kif``, or ``gdl:chomp`` for one of our own."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from ramify.contract.game import Game
from ramify.errors import RamifyError, why
from ramify.ggp.grounding import Limits, NoNetworkError
from ramify.ggp.interpreted_game import interpreted
from ramify.ggp.propnet_cache import network_for
from ramify.ggp.propnet_game import NetworkGame
from ramify.ggp.rules import Rules

OWN = Path(__file__).parents[1] / "games" / "gdl"


def load(text: str) -> Game:
    """The game of a rulesheet: a file, or one of ours by its name."""
    path = file_of(text)
    try:
        stamp = path.stat()
        return _loaded(text, path, stamp.st_mtime_ns, stamp.st_size).session()
    except OSError as error:
        raise RamifyError(f"the rulesheet {text} cannot be read: {why(error)}") from None


def file_of(text: str) -> Path:
    """The file of a rulesheet."""
    text = text.strip()
    own = OWN / f"{text}.kif"
    if "/" not in text and own.is_file():
        return own
    path = Path(text).expanduser()
    if text and path.is_file():
        return path
    known = ", ".join(sorted(file.stem for file in OWN.glob("*.kif")))
    ours = f", and none of ours is called so: {known}" if known else ""
    raise RamifyError(f"there is no rulesheet {text or 'without a name'}{ours}; write gdl:FILE")


def rules_of(text: str) -> Rules:
    """The rules of a rulesheet."""
    return Rules.of(text_of(text), text)


def text_of(text: str) -> str:
    """The text of a rulesheet."""
    try:
        return file_of(text).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise RamifyError(f"the rulesheet {text} cannot be read: {why(error)}") from None


def game_of(rules: Rules, name: str, limits: Limits | None = None) -> Game:
    """The game of rules: by its network, or, where that is too large, by the interpreter, which a sentence says."""
    try:
        return NetworkGame(name, network_for(rules, limits))
    except NoNetworkError as error:
        sys.stderr.write(f"ramify: {error}; it is played by the interpreter, thousands of times slower\n")
        return interpreted(rules, name)


@cache
def _loaded(text: str, path: Path, changed: int, size: int) -> Game:  # noqa: ARG001  (what tells a new version)
    return game_of(Rules.of(path.read_text(encoding="utf-8", errors="replace"), text), f"gdl:{text}")
