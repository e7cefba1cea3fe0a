"""A store killed while it is made, written or closed opens again with everything it had said was written."""

import random
import subprocess
import sys
import time

import pytest

from ramify.arena.matches.rows import COLUMNS, GAME_TABLE
from ramify.runs.store import Reader, Store

# Makes runs one after the other, and says which rows of which run are safe.
PROGRAM = """
import sys
from ramify.arena.matches.rows import COLUMNS, GAME_TABLE
from ramify.runs.store import Store
REST = [{"INTEGER": 0, "REAL": 0.5, "TEXT": "x"}[GAME_TABLE.kind(name)] for name in COLUMNS[1:]]
run = 0
while True:
    store = Store(f"{sys.argv[1]}/{run}.db", {"kind": "match"}, GAME_TABLE)
    for number in range(5):
        store.add([(number, *REST)])
        store.flush()
        print(run, number, flush=True)
    store.close()
    run += 1
"""


def kill_once(folder, seconds):
    """Kill after ``seconds`` of work; the last run and row that were safe."""
    with subprocess.Popen([sys.executable, "-c", PROGRAM, folder], stdout=subprocess.PIPE, text=True) as process:
        first = process.stdout.readline()
        time.sleep(seconds)
        process.kill()
        lines = [first, *process.stdout.read().split("\n")]
    complete = [line.split() for line in lines if len(line.split()) == 2]
    return tuple(int(word) for word in complete[-1])


@pytest.mark.alone
def test_a_kill_at_any_moment_leaves_whole_runs(tmp_path):
    chance = random.Random(1)
    for attempt in range(8):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        run, number = kill_once(folder, chance.uniform(0, 0.03))
        for other in range(run):
            with Reader(folder / f"{other}.db", GAME_TABLE) as reader:
                assert reader.numbers() == {0, 1, 2, 3, 4}
        for later, safe in ((run, set(range(number + 1))), (run + 1, set())):  # the next may just have been begun
            store = Store(folder / f"{later}.db", {"kind": "match"}, GAME_TABLE)
            assert store.description() == {"kind": "match"}
            assert store.numbers() >= safe
            store.add([(9, *[0] * (len(COLUMNS) - 1))])
            store.close()
        assert {path.suffix for path in folder.iterdir()} == {".db"}
