"""The names of Ludii's games: which there are, in which category each stands, and how options are written.

A game's name is that of its file in Ludii's jar, which is read without Java. Capitals, blanks and marks do not count:
``Nine Men's Morris`` may be written ``nine_mens_morris``. Some names end in brackets, ``Siga (Sri Lanka)``; options
follow in brackets of their own.
"""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ramify.bridges.ludii.jvm import jar
from ramify.errors import RamifyError, suggestion
from ramify.grammar import Call, format_value, parse

# Folders of what is unfinished, for tests, or only a part of other games; Ludii's own analyses leave them out, too.
SKIPPED_FOLDERS = {
    *("bad", "bad_playout", "pending", "proprietary", "simulation", "subgame"),
    *("test", "validation", "wip", "wishlist", "WishlistDLP"),
}
LISTING = "`ramify ludii list` lists them"


@dataclass(frozen=True)
class Entry:
    """A game in the jar."""

    name: str  # as we write it
    file: str  # in the jar

    @property
    def category(self) -> str:
        """What kind of game it is: hunt, race, sow, space, war; or another of Ludii's folders."""
        folders = self.file.split("/")[2:-1]
        if folders[0] == "reconstruction":
            folders = [folder for folder in folders if folder not in ("reconstruction", "done")]
        if folders[:1] == ["board"]:
            folders = folders[1:]
        return folders[0] if folders else "other"


def normalized(text: str) -> str:
    """A name without what does not count."""
    return re.sub(r"[^a-z0-9()/]", "", text.lower())


def entries() -> dict[str, Entry]:
    """The games in Ludii's jar by their plain names."""
    path = jar()
    stamp = path.stat()
    return _entries(path, stamp.st_mtime_ns)


@cache
def _entries(path: Path, changed: int) -> dict[str, Entry]:  # noqa: ARG001  (what tells a new version)
    try:
        with zipfile.ZipFile(path) as archive:
            files = sorted(archive.namelist())
    except (OSError, zipfile.BadZipFile):
        raise RamifyError(f"{path} is not Ludii's jar") from None
    found: dict[str, Entry] = {}
    for file in files:
        parts = file.split("/")
        if parts[0] == "lud" and file.endswith(".lud") and not SKIPPED_FOLDERS.intersection(parts[1:-1]):
            name = Path(file).stem
            if normalized(name) in found:  # two games of one name: the other by its folder, too
                name = f"{parts[-2]}/{name}"
            found[normalized(name)] = Entry(name, "/" + file)
    if not found:
        raise RamifyError(f"{path} is not Ludii's jar: there is no game in it")
    return found


def read(text: str) -> tuple[Entry, Call]:
    """The game that a text names, and its options as they were written."""
    known = entries()
    text = text.strip()
    for end in sorted((len(text), *(match.start() for match in re.finditer(r"\(", text))), reverse=True):
        entry = known.get(normalized(text[:end]))
        if entry is not None and (end == len(text) or text.endswith(")")):
            options = text[end:]
            return entry, parse("options" + options) if options else Call("options")
    word = text.partition("(")[0].strip() if normalized(text) not in known else text
    close = suggestion(normalized(word), known, LISTING)
    match = re.fullmatch(r"did you mean '(.*)'\?", close)
    hint = f"did you mean '{known[match[1]].name}'?" if match else close
    raise RamifyError(f"Ludii has no game '{text}'; {hint}")


def chosen(entry: Entry, call: Call, known: list[str]) -> list[str]:
    """Ludii's own words for options: ``"Board Size/6x6"``, or ``board_size=6x6``."""
    by_plain = {normalized(option): option for option in known}
    found: dict[str, str] = {}
    for key, value in call.arguments:
        choice = value if isinstance(value, str) else format_value(value)
        said = f"{key}/{choice}" if key else choice
        option = by_plain.get(normalized(said))
        if option is None:
            raise RamifyError(f"{entry.name} has no option '{said}'; {_offer(said, known)}")
        heading = option.partition("/")[0]
        if heading in found:
            raise RamifyError(f"{entry.name} got '{heading}' twice")
        found[heading] = option
    return sorted(found.values())


def _offer(said: str, known: list[str]) -> str:
    """Which options there are; where the heading is right only its choices."""
    if not known:
        return "it has none"
    heading = normalized(said.partition("/")[0])
    same = [option for option in known if normalized(option.partition("/")[0]) == heading]
    return "known are " + ", ".join(f'"{option}"' for option in same or known)
