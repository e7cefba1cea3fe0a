"""Flips bits and bytes of a run file or its log (FILE-wal) and reads, salvages and resumes what is left.

Every flip has one of three outcomes: all rows are unchanged, rows or frames are left out and named, or there is a
RamifyError. No number changes and no other exception is raised.

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
from ramify.runs.salvage.write_ahead_log import FRAME_HEADER, HEADER
from ramify.runs.store import Reader, Store
from tests.arena.games_for_tests import short_plan

PAIRS = 20
TRANSACTIONS = 10  # of which the log holds the second half
SAME, LEFT_OUT, REFUSED = "same", "left out", "refused"


class Flips:
    """A good run, finished or killed, and copies of it with one flip each."""

    def __init__(self, folder, seed):
        self.chance = random.Random(seed)
        self.run, self.new = folder / "run.db", folder / "new.db"
        plan = short_plan(games=4)
        games = [play(spec) for spec in plan.schedule().games(plan.pairs)]
        plan = replace(plan, pairs=PAIRS)
        specs = plan.schedule().games(PAIRS)
        self.records = [replace(games[spec.number % len(games)], **vars(spec)).record() for spec in specs]
        self.description = plan.description()
        self.log = folder / "run.db-wal"
        store = Store(self.run, self.description, GAME_TABLE)
        for first in range(0, len(self.records), len(self.records) // TRANSACTIONS):
            if first == len(self.records) // 2:
                store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            store.add(self.records[first : first + len(self.records) // TRANSACTIONS])
            store.flush()
        self.killed = (self.run.read_bytes(), self.log.read_bytes())
        store.close()
        self.finished = self.run.read_bytes()

    def spoil(self, in_log):
        """Write the files with one flipped bit or one random byte. Return its place."""
        run, log = self.killed if in_log else (self.finished, b"")
        spoilt = bytearray(log if in_log else run)
        place = self.chance.randrange(len(spoilt))
        if self.chance.random() < 0.5:
            if in_log:  # headers
                frame = self.chance.randrange(HEADER, len(spoilt), FRAME_HEADER + 4096)
                place = self.chance.choice([self.chance.randrange(HEADER), frame + self.chance.randrange(FRAME_HEADER)])
            else:  # the first pages, which hold the header, the schema and the description
                place = self.chance.randrange(3 * 4096)
        if self.chance.random() < 0.7:
            spoilt[place] ^= 1 << self.chance.randrange(8)
        else:
            spoilt[place] = self.chance.randrange(256)
        for path in self.run.parent.iterdir():
            path.unlink()
        self.run.write_bytes(run if in_log else spoilt)
        if in_log:
            self.log.write_bytes(spoilt)
        return place

    def read(self):
        """As ``ramify report`` does."""
        with Reader(self.run, GAME_TABLE) as reader:
            assert reader.full_description() == self.description
            return self.outcome(list(reader.records()), named(reader))

    def salvage(self):
        """As ``ramify report --salvage`` does."""
        result = salvage(self.run, self.new, (GAME_TABLE, CHUNK_TABLE))
        with Reader(self.new, GAME_TABLE) as reader:
            assert reader.description() == (self.description if result.has_description else {})
            rows = list(reader.records())
            assert not reader.notes()
        assert result.saved == len(rows)
        return self.outcome(rows, result.unread or result.damaged or result.damage or result.log)

    def resume(self):
        """As ``ramify match --run`` does: the missing rows are computed again."""
        store = Store(self.run, self.description, GAME_TABLE)
        try:
            assert store.full_description() == self.description
            found = self.outcome(list(store.records()), named(store))
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


def named(reader):
    """The notes, if they name what was left out."""
    return (reader.left_out or reader.left_out_frames) and reader.notes()


def flip(count, seed, say=lambda _: None):
    """Count the outcomes of ``count`` flips by file and its use; every second flip is in the log."""
    ends = Counter()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        flips = Flips(Path(folder), seed)
        for number in range(1, count + 1):
            use, in_log = (flips.read, flips.salvage, flips.resume)[number % 3], number % 2 == 0
            place = flips.spoil(in_log)
            try:
                end = use()
            except RamifyError:
                end = REFUSED
            except BaseException as error:
                error.add_note(f"flip {number} of seed {seed}: {use.__name__} after byte {place}, {in_log=}")
                raise
            ends["log" if in_log else "file", use.__name__, end] += 1
            if number % 1000 == 0:
                say(f"{number:,} flips in {time.monotonic() - began:.0f} s")
    return ends


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=5000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    found = flip(given.count, given.seed, print)
    for (file, use, end), times in sorted(found.items()):
        print(f"{file:5} {use:8} {end:9} {times:,}")
    print(f"{found.total():,} flips: no number changed, and what was left out was named")
