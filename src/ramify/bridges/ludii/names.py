"""Names, categories and options of Ludii's games.

A game's name is that of its file in Ludii's jar, which is read without Java. Case, spaces and punctuation are ignored:
``Nine Men's Morris`` may be written ``nine_mens_morris``. Some names end in parentheses, ``Siga (Sri Lanka)``; options
follow in parentheses after that.
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

# Folders of unfinished games, tests and parts of other games; Ludii's own analyses also skip them.
SKIPPED_FOLDERS = {
    *("bad", "bad_playout", "pending", "proprietary", "simulation", "subgame"),
    *("test", "validation", "wip", "wishlist", "WishlistDLP"),
}
LISTING = "`ramify ludii list` lists them"


@dataclass(frozen=True)
class Entry:
    """A game in the jar."""

    name: str  # as Ramify prints it
    file: str  # path in the jar

    @property
    def category(self) -> str:
        """Hunt, race, sow, space, war, or another of Ludii's folders."""
        folders = self.file.split("/")[2:-1]
        if folders[0] == "reconstruction":
            folders = [folder for folder in folders if folder not in ("reconstruction", "done")]
        if folders[:1] == ["board"]:
            folders = folders[1:]
        return folders[0] if folders else "other"


def normalized(text: str) -> str:
    """Return a name in lower case, without spaces and punctuation."""
    return re.sub(r"[^a-z0-9()/]", "", text.lower())


def entries() -> dict[str, Entry]:
    """Return the games in Ludii's jar by normalized name."""
    path = jar()
    stamp = path.stat()
    return _entries(path, stamp.st_mtime_ns)


@cache
def _entries(path: Path, changed: int) -> dict[str, Entry]:  # noqa: ARG001  (cache key)
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
            if normalized(name) in found:  # duplicate name: prefix the folder
                name = f"{parts[-2]}/{name}"
            found[normalized(name)] = Entry(name, "/" + file)
    if not found:
        raise RamifyError(f"{path} is not Ludii's jar: it contains no games")
    return found


def parse_name(text: str) -> tuple[Entry, Call]:
    """Parse the name of a game. Return its entry and its options as written."""
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


def resolve_options(entry: Entry, call: Call, known: list[str]) -> list[str]:
    """Return options as Ludii spells them; they may be written ``"Board Size/6x6"`` or ``board_size=6x6``."""
    by_name = {normalized(option): option for option in known}
    found: dict[str, str] = {}
    for key, value in call.arguments:
        choice = value if isinstance(value, str) else format_value(value)
        written = f"{key}/{choice}" if key else choice
        option = by_name.get(normalized(written))
        if option is None:
            raise RamifyError(f"{entry.name} has no option '{written}'; {_option_hint(written, known)}")
        heading = option.partition("/")[0]
        if heading in found:
            raise RamifyError(f"duplicate option '{heading}' of {entry.name}")
        found[heading] = option
    return sorted(found.values())


def _option_hint(written: str, known: list[str]) -> str:
    """List the options; only the choices of the heading if that exists."""
    if not known:
        return "it has no options"
    heading = normalized(written.partition("/")[0])
    same = [option for option in known if normalized(option.partition("/")[0]) == heading]
    return "use one of " + ", ".join(f'"{option}"' for option in same or known)
