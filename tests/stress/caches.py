"""Damage to every kind of file in the cache: each start gives the same answers as with an undamaged cache.

    python -m tests.stress.caches --starts 200 --flips 20000

A cache is filled by searching a built-in game, a user's game and a rulesheet. In each round one file or all of them are
damaged, and a new process searches again; it must succeed, print nothing but its answers, and mend the cache. Starts
take seconds, so most flips are only tried on the files themselves: no damaged file may be read. ``test_caches.py`` does
both.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ramify.core.kernels import checked_files
from tests import processes
from tests.contract.broken import SOUND
from tests.ggp.toys import TOYS

# Searches each game given. Prints the answers, the files that were read with their purposes, and what was compiled.
SEARCH = """
import json, sys
import ramify
from ramify.core.kernels import checked_files
from ramify.core.kernels.compiling import on_compilation
read, files, compiled, answers = checked_files.read, {}, [], []
checked_files.read = lambda path, purpose: files.update({str(path): purpose}) or read(path, purpose)
with on_compilation(lambda: compiled.append(1)):
    for name in sys.argv[1:]:
        report = ramify.search(ramify.load(name).initial(), simulations=100, seed=1)
        answers.append([[str(child.move), child.visits, child.value] for child in report.children])
print(json.dumps({"answers": answers, "files": files, "compiled": len(compiled)}))
"""


def flip(content: bytes, chance: random.Random) -> bytes:
    changed = bytearray(content)
    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "flipped": flip,
    "truncated": lambda content, chance: content[: chance.randrange(len(content))],
    "extended": lambda content, chance: content + chance.randbytes(8),
    "emptied": lambda content, chance: b"",
    "zeros": lambda content, chance: bytes(len(content)),
    "random": lambda content, chance: chance.randbytes(len(content)),
}
FLIP_EACH, SWAP = "flipped in every file", "swapped"


class DamagedCache:
    """A cache, filled once, and the games whose searches use it."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "cache"
        game, rules = folder / "mine.py", folder / "heap.kif"
        game.write_text(SOUND.read_text(encoding="utf-8"), encoding="utf-8")
        rules.write_text(TOYS["heap"], encoding="utf-8")
        self.games = ["tictactoe", str(game), f"gdl:{rules}"]
        self.search()  # cold
        found = self.search()
        assert not found["compiled"]
        self.answers = found["answers"]
        self.purposes = {Path(name): purpose for name, purpose in found["files"].items()}

    def search(self) -> dict[str, Any]:
        """What a new process finds; it must succeed and write no warning."""
        found: dict[str, Any] = json.loads(
            processes.run("-c", SEARCH, *self.games, NUMBA_CACHE_DIR=str(self.cache), PYTHONFAULTHANDLER="1")
        )
        return found

    def files(self) -> list[Path]:
        return sorted(path for path in self.cache.rglob("*") if path.is_file())

    def reject(self, flips: int, chance: random.Random) -> Counter[str]:
        """Flip bits in the files that have a checksum, none of which may be read. Return the flips by kind of file."""
        copy, tried = self.cache.parent / "copy", Counter[str]()
        for path, purpose in self.purposes.items():
            assert checked_files.read(path, purpose) is not None, path
            whole = path.read_bytes()
            for _ in range(-(-flips // len(self.purposes))):
                copy.write_bytes(flip(whole, chance))
                assert checked_files.read(copy, purpose) is None, path
                tried[path.suffix or path.name] += 1
        return tried

    def damage(self, kind: str, chance: random.Random) -> list[Path]:
        """Damage one file, two files or all of them."""
        counts = Counter(path.suffix for path in self.files())
        suffix = chance.choice(sorted(one for one, count in counts.items() if kind != SWAP or count > 1))
        alike = [path for path in self.files() if path.suffix == suffix]
        if kind == FLIP_EACH:
            chosen = self.files()
        elif kind == SWAP:
            chosen = chance.sample(alike, 2)
            contents = [path.read_bytes() for path in chosen]
            for path, content in zip(chosen, reversed(contents), strict=True):
                path.write_bytes(content)
            return chosen
        else:
            chosen = [chance.choice(alike)]
        for path in chosen:
            path.write_bytes(DAMAGES.get(kind, flip)(path.read_bytes(), chance))
        return chosen

    def start(self, kind: str, chance: random.Random) -> list[Path]:
        """Damage files and search again. Return the files."""
        before = self.files()
        chosen = self.damage(kind, chance)
        assert self.search()["answers"] == self.answers, (kind, chosen)
        assert self.files() == before, (kind, chosen)
        for path in chosen:
            assert path not in self.purposes or checked_files.read(path, self.purposes[path]) is not None, (kind, path)
        return chosen


def disturb(starts: int, flips: int, seed: int, say: Callable[[str], object]) -> Counter[str]:
    """Try everything. Return how often each kind of damage met each kind of file at a start."""
    chance, met = random.Random(seed), Counter[str]()
    folder = Path(tempfile.mkdtemp())
    try:
        cache = DamagedCache(folder)
        tried = cache.reject(flips, chance)
        kinds = ", ".join(f"{count:,} in {kind}" for kind, count in sorted(tried.items()))
        say(f"{tried.total():,} flips in {len(cache.purposes)} files ({kinds}): all rejected")
        damages = [FLIP_EACH, SWAP, *DAMAGES]
        for number in range(starts):
            kind = damages[number % len(damages)]
            chosen = cache.start(kind, chance)
            met[f"{kind} {'' if kind == FLIP_EACH else chosen[0].suffix}".strip()] += 1
            say(f"{number + 1:5}  {kind}: {chosen[0].name if len(chosen) <= 2 else f'{len(chosen)} files'}")
    finally:
        shutil.rmtree(folder)
    return met


def main() -> None:
    """Take the counts from the command line, and print a table."""
    parser = argparse.ArgumentParser(description="Damage files in the cache.")
    parser.add_argument("--starts", type=int, default=200)
    parser.add_argument("--flips", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    met = disturb(options.starts, options.flips, options.seed, lambda line: print(line, flush=True))
    for kind, count in sorted(met.items()):
        print(f"{count:5}  {kind}")
    print(f"{met.total()} starts with a damaged cache: all gave the same answers")


if __name__ == "__main__":
    main()
