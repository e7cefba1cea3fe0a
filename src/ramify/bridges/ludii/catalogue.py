"""Catalogue of Ludii's games: players, chance, hidden information, category.

Ludii must compile a game to report these facts, which takes minutes for all games. They are cached on disk, one line
per game, so an interrupted scan resumes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from ramify.bridges.ludii.game import UNSUPPORTED_REASONS, make_rules
from ramify.bridges.ludii.jvm import cache_folder, jar, jar_fingerprint
from ramify.bridges.ludii.names import Entry, entries
from ramify.bridges.ludii.rules import LudiiRules
from ramify.core.kernels import checked_files
from ramify.errors import RamifyError


@dataclass(frozen=True)
class GameFacts:
    """Facts about a game that are known without playing it."""

    name: str
    category: str
    players: int
    kinds: tuple[str, ...]  # subset of chance, hidden, simultaneous, simulation, deduction, match
    moves: int  # in the initial position; 0 if unknown
    failure: str = ""  # why it does not load, else empty

    @property
    def searchable(self) -> bool:
        return not self.failure and not set(self.kinds) & set(UNSUPPORTED_REASONS)


@dataclass(frozen=True)
class GameFilter:
    """Conditions on games; None matches any."""

    players: int | None = None
    chance: bool | None = None
    hidden: bool | None = None
    searchable: bool | None = None
    category: str | None = None

    def matches(self, facts: GameFacts) -> bool:
        return (
            self.players in (None, facts.players)
            and self.chance in (None, "chance" in facts.kinds)
            and self.hidden in (None, "hidden" in facts.kinds)
            and self.searchable in (None, facts.searchable)
            and self.category in (None, facts.category)
        )


def load_facts(progress: Callable[[int, int], object] | None = None) -> list[GameFacts]:
    """Return the facts of all games. Calls ``progress(known, total)`` before compiling each missing game."""
    games = entries()
    file = cache_folder() / f"games_{jar_fingerprint(jar())}.jsonl"
    known = _read(file)
    missing = [entry for entry in games.values() if entry.name not in known]
    if missing:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a", encoding="utf-8") as out:
            for number, entry in enumerate(missing):
                if progress:
                    progress(len(known), len(games))
                one = known[entry.name] = inspect_game(entry)
                out.write(_checked(json.dumps(asdict(one)), file.name) + "\n")
                if number % 16 == 0:
                    out.flush()
    return [replace(known[entry.name], category=entry.category) for entry in games.values()]


def categories(games: Iterable[Entry] | None = None) -> list[str]:
    return sorted({entry.category for entry in games or entries().values()})


def inspect_game(entry: Entry) -> GameFacts:
    """Compile a game and list its first moves."""
    players = 0
    kinds: tuple[str, ...] = ()
    try:
        game = make_rules(entry.file, [])
        players, kinds = int(game.players), tuple(map(str, game.kinds()))
        if set(kinds) & set(UNSUPPORTED_REASONS):
            return GameFacts(entry.name, entry.category, players, kinds, 0)
        rules = LudiiRules(game)
        moves = len(rules.legal(rules.start()))
    except RamifyError as error:
        return GameFacts(entry.name, entry.category, players, kinds, 0, str(error))
    return GameFacts(entry.name, entry.category, players, kinds, moves)


def _read(file: Path) -> dict[str, GameFacts]:
    """Read the cached facts; damaged lines are skipped, so their games are inspected again."""
    found: dict[str, GameFacts] = {}
    if file.is_file():
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            _, _, text = line.partition(" ")
            if line == _checked(text, file.name):
                row = json.loads(text)
                found[row["name"]] = GameFacts(**row | {"kinds": tuple(row["kinds"])})
    return found


def _checked(text: str, file_name: str) -> str:
    """Return a line of the file: a checksum and the text."""
    return f"{checked_files.checksum(file_name, text.encode()).hex()} {text}"
