"""Flips bits and bytes of a run file and reads, salvages and resumes what is left.

Every flip has one of three outcomes: all rows are unchanged, rows are left out and named, or there is a RamifyError.
No number changes and no other exception is raised.

``python -m tests.stress.flips --count 5000``
"""

import argparse
import random
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.rows import GAME_TABLE
from ramify.errors import RamifyError
from ramify.experiments.framework.work import CHUNK_TABLE
from ramify.runs.salvage.salvage import salvage
from ramify.runs.store import Reader, Store
from tests.arena.games_for_tests import short_plan

PAIRS = 20
SAME, LEFT_OUT, REFUSED = "same", "left out", "refused"


class Flips:
    """A good run, and copies of it with one flip each."""

    def __init__(self, folder, seed):
        self.chance = random.Random(seed)
        self.run, self.new = folder / "run.db", folder / "new.db"
        plan = short_plan(games=4)
        games = [play(spec) for spec in plan.schedule().games(plan.pairs)]
        plan = replace(plan, pairs=PAIRS)
        specs = plan.schedule().games(PAIRS)
        self.records = [replace(games[spec.number % len(games)], **vars(spec)).record() for spec in specs]
        self.description = plan.description()
        store = Store(self.run, self.description, GAME_TABLE)
        store.add(self.records)
        store.close()
        self.good = self.run.read_bytes()

    def spoil(self):
        """Write the file with one flipped bit or one random byte. Return its place."""
        spoilt = bytearray(self.good)
        # Half of the flips hit the first pages, which hold the header, the schema and the description.
        place = self.chance.randrange(len(spoilt) if self.chance.random() < 0.5 else 3 * 4096)
        if self.chance.random() < 0.7:
            spoilt[place] ^= 1 << self.chance.randrange(8)
        else:
            spoilt[place] = self.chance.randrange(256)
        for path in self.run.parent.iterdir():
            path.unlink()
        self.run.write_bytes(spoilt)
        return place

    def read(self):
        """As ``ramify report`` does."""
        with Reader(self.run, GAME_TABLE) as reader:
            assert reader.full_description() == self.description
            return self.outcome(list(reader.records()), reader.left_out and reader.notes())

    def salvage(self):
        """As ``ramify report --salvage`` does."""
        result = salvage(self.run, self.new, (GAME_TABLE, CHUNK_TABLE))
        with Reader(self.new, GAME_TABLE) as reader:
            assert reader.description() == (self.description if result.has_description else {})
            rows = list(reader.records())
            assert not reader.notes()
        assert result.saved == len(rows)
        return self.outcome(rows, result.unread or result.damaged or result.damage)

    def resume(self):
        """As ``ramify match --run`` does: the missing rows are computed again."""
        store = Store(self.run, self.description, GAME_TABLE)
        try:
            assert store.full_description() == self.description
            found = self.outcome(list(store.records()), store.left_out and store.notes())
            done = store.numbers()
            store.add([record for record in self.records if record[0] not in done])
        finally:
            store.close()
        with Reader(self.run, GAME_TABLE) as reader:
            assert list(reader.records()) == self.records
            assert not reader.left_out.keys() & {record[0] for record in self.records}
        return found

    def outcome(self, rows, named):
        assert [row for row in rows if row not in self.records] == []
        assert rows == self.records or named
        return SAME if rows == self.records else LEFT_OUT


def flip(count, seed, say=lambda _: None):
    """Count the outcomes of ``count`` flips by use of the file."""
    ends = Counter()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        flips = Flips(Path(folder), seed)
        for number in range(1, count + 1):
            use = (flips.read, flips.salvage, flips.resume)[number % 3]
            place = flips.spoil()
            try:
                end = use()
            except RamifyError:
                end = REFUSED
            except BaseException as error:
                error.add_note(f"flip {number} of seed {seed}: {use.__name__} after a flip of byte {place}")
                raise
            ends[use.__name__, end] += 1
            if number % 1000 == 0:
                say(f"{number:,} flips in {time.monotonic() - began:.0f} s: {dict(ends)}")
    return ends


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=5000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    for (use, end), times in sorted(flip(given.count, given.seed, print).items()):
        print(f"{use:8} {end:9} {times:,}")
