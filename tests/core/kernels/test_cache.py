"""Machine code on disk: found by the next process, and never older than its source.

Each test works in processes of its own. A cold engine takes seconds to compile, so most tests share a warm folder, and
those that can do without the engine only make kernels of a game.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from numba import njit, types

from ramify.core.kernels import numba_internals
from ramify.core.kernels.compiling import JIT
from tests import processes

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")

# Loads each game given, searches it, plays its first move, and says how much was compiled for each.
SEARCH = """
import json, sys
import ramify
from ramify.core.kernels.compiling import on_compilation
answers = []
for name in sys.argv[1:]:
    compiled = []
    with on_compilation(lambda: compiled.append(1)):
        state = ramify.load(name).initial()
        report = ramify.search(state, simulations=100, seed=1)
        after = state.play(state.moves()[0])
    found = [[str(child.move), child.visits, child.value] for child in report.children]
    answers.append({"compiled": len(compiled), "found": found, "after": repr(after.data.tobytes())})
print(json.dumps(answers))
"""

# The same without the engine: plays one random game by the game's kernel.
PLAYOUT = """
import json, sys
import numpy as np
import ramify
from ramify.core.search.episode import episode_of
from ramify.core.kernels.compiling import on_compilation
from ramify.core.numbers.rng import generator
compiled = []
with on_compilation(lambda: compiled.append(1)):
    game = ramify.load(sys.argv[1])
    state, rng, moves = game.start(), generator(1), np.zeros(game.max_children, np.int64)
    episode = episode_of(moves, rng, 1000)
    plies = game.playout()(*[array.ctypes.data for array in (game.rules_array, state, episode)], 0)
print(json.dumps({"compiled": len(compiled), "plies": plies, "state": repr(state.tobytes()), "rng": int(rng[0])}))
"""

# One player adds a bonus of its choice, then the other; who is ahead at the end wins.
GAME = """
import numpy as np

import bonus_helper
from bonus_helper import LARGE, doubled

PLAYERS = 2
MAX_MOVES = 2
LENGTH = 6

State = np.dtype([("sums", np.int64, 2), ("played", np.int64)])


def start(rules, state):
    state.sums[0] = state.sums[1] = 0
    state.played = 0


def mover(rules, state):
    return state.played % 2


def over(rules, state):
    return state.played == LENGTH


def legal(rules, state, moves):
    moves[0] = 1
    moves[1] = LARGE
    return 2


def play(rules, state, move):
    state.sums[state.played % 2] += doubled(move) + bonus_helper.SMALL
    state.played += 1


def scores(rules, state, out):
    out[0] = out[1] = 0.5
    if state.sums[0] != state.sums[1]:
        out[0] = 1.0 if state.sums[0] > state.sums[1] else 0.0
        out[1] = 1.0 - out[0]
"""

HELPER = """
import bonus_deeper

SMALL = 1
LARGE = 3


def doubled(number):
    return bonus_deeper.times(number, 2)
"""

DEEPER = """
def times(number, factor):
    return number * factor
"""


class Kept:
    """A cache folder and a user's game with its helpers."""

    def __init__(self, folder: Path) -> None:
        self.cache = folder / "cache"
        self.game = folder / "bonus_game.py"
        self.files = {"game": self.game, "helper": folder / "bonus_helper.py", "deeper": folder / "bonus_deeper.py"}
        for name, text in (("game", GAME), ("helper", HELPER), ("deeper", DEEPER)):
            self.files[name].write_text(text)

    def edit(self, file: str, old: str, new: str) -> None:
        text = self.files[file].read_text()
        assert old in text
        self.files[file].write_text(text.replace(old, new))

    def search(self) -> list[dict]:
        """Of the user's game and of one of ours."""
        return json.loads(processes.run("-c", SEARCH, str(self.game), "tictactoe", NUMBA_CACHE_DIR=str(self.cache)))

    def play(self) -> dict:
        return json.loads(processes.run("-c", PLAYOUT, str(self.game), NUMBA_CACHE_DIR=str(self.cache)))

    def copy(self, folder: Path) -> Kept:
        """The same files elsewhere, with nothing kept for them."""
        made = Kept(folder)
        made.cache = self.cache
        return made


@pytest.fixture(scope="module")
def two_cold_starts(tmp_path_factory) -> tuple[Kept, list[list[dict]]]:
    """A warm folder, and what two processes said that found it cold and filled it at the same time."""
    kept = Kept(tmp_path_factory.mktemp("kept"))
    variables = {"NUMBA_CACHE_DIR": str(kept.cache)}
    started = [processes.start("-c", SEARCH, str(kept.game), "tictactoe", **variables) for _ in range(2)]
    finished = [processes.finish(process) for process in started]
    assert [err for _, err in finished] == ["", ""]
    return kept, [json.loads(out) for out, _ in finished]


def without_counts(answers: list[dict]) -> list[dict]:
    return [{key: value for key, value in answer.items() if key != "compiled"} for answer in answers]


def test_two_cold_processes_at_once(two_cold_starts):
    _, (one, other) = two_cold_starts
    assert one[0]["compiled"] > 0
    assert other[0]["compiled"] > 0
    assert without_counts(one) == without_counts(other)


def test_the_next_process_compiles_nothing(two_cold_starts):
    """Nor when a file has been touched without a change."""
    kept, (first, _) = two_cold_starts
    for file in kept.files.values():
        os.utime(file)
    again = kept.search()
    assert [answer["compiled"] for answer in again] == [0, 0]
    assert without_counts(again) == without_counts(first)


def test_an_edited_game_is_compiled_anew_and_nothing_else(two_cold_starts):
    kept, (first, _) = two_cold_starts
    engine = {path: path.stat().st_mtime_ns for path in kept.cache.rglob("loop.search_*")}
    assert engine
    kept.edit("game", "moves[0] = 1", "moves[0] = 2")
    mine, ours = kept.search()
    assert 0 < mine["compiled"] < first[0]["compiled"]
    assert mine["after"] != first[0]["after"]
    assert [name for name, *_ in mine["found"]] != [name for name, *_ in first[0]["found"]]
    assert ours == {**first[1], "compiled": 0}
    assert {path: path.stat().st_mtime_ns for path in kept.cache.rglob("loop.search_*")} == engine
    kept.edit("game", "moves[0] = 2", "moves[0] = 1")
    back, _ = kept.search()
    assert back == {**first[0], "compiled": 0}


def test_an_edited_helper_is_compiled_anew(two_cold_starts, tmp_path):
    kept = two_cold_starts[0].copy(tmp_path)
    before = kept.play()
    for file, old, new in (
        ("helper", "SMALL = 1", "SMALL = 5"),  # read as an attribute of its module
        ("helper", "LARGE = 3", "LARGE = 4"),  # imported by name: a bare number
        ("deeper", "number * factor", "number * factor + 7"),  # a plain function of a module that a helper imports
    ):
        kept.edit(file, old, new)
        after = kept.play()
        assert after["compiled"] > 0, file
        assert after["state"] != before["state"], file
        before = after


def test_a_helper_edited_while_a_process_runs(two_cold_starts, tmp_path):
    """The process that saw both, and the next one, have the new rules; no code of the old kept under the new name."""
    kept = two_cold_starts[0].copy(tmp_path)
    both = f"""
import pathlib, ramify
helper = pathlib.Path({str(kept.files["helper"])!r})
def first():
    state = ramify.load({str(kept.game)!r}).initial()
    return int(state.play(state.moves()[0]).data["sums"][0][0])
print(first())
helper.write_text(helper.read_text().replace("SMALL = 1", "SMALL = 5"))
print(first())
"""
    assert processes.run("-c", both, NUMBA_CACHE_DIR=str(kept.cache)).split() == ["3", "7"]
    again = both.split("helper.write_text", maxsplit=1)[0]
    assert processes.run("-c", again, NUMBA_CACHE_DIR=str(kept.cache)).split() == ["7"]


def test_damaged_files_are_compiled_anew_and_mended(two_cold_starts, tmp_path):
    kept = two_cold_starts[0].copy(tmp_path)
    before = kept.play()
    damaged = 0
    for path in kept.cache.rglob("bonus_game*"):
        if tmp_path.name in path.parent.name:
            path.write_bytes(path.read_bytes()[:1000])
            damaged += 1
    assert damaged
    assert kept.play() == before
    assert kept.play() == {**before, "compiled": 0}


def test_a_flipped_bit_in_every_file(two_cold_starts, tmp_path):
    """The machine code of the engine and of both games, sources, the marks of checked games and of the folder."""
    kept, (first, _) = two_cold_starts
    chance = random.Random(1)
    cache = tmp_path / "cache"
    shutil.copytree(kept.cache, cache)
    files = [path for path in cache.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".nbc", ".py", ".passed", ".TAG"}
    for path in files:
        flip(path, chance)
    search = ("-c", SEARCH, str(kept.game), "tictactoe")
    for compiled in (True, False):
        again = json.loads(processes.run(*search, NUMBA_CACHE_DIR=str(cache)))
        assert without_counts(again) == without_counts(first)
        assert [answer["compiled"] > 0 for answer in again] == [compiled, compiled]
    assert [path for path in cache.rglob("*") if path.is_file() and path not in files] == []


def flip(path: Path, chance: random.Random) -> None:
    """Flip one bit of a file."""
    content = bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def doubled(number: int) -> int:
    return number * 2


def tripled(number: int) -> int:
    return number * 3


@pytest.fixture
def small_cache(tmp_path):
    """A small function's cache, which has it stored, with its key, the context to load it in, and its file."""
    signature = types.int64(types.int64)
    caches = numba_internals.disk_cache(lambda file: tmp_path / "version" / "folder", pytest.fail)
    numba_internals.compile_native(doubled, signature, {}, caches(doubled))
    (file,) = (tmp_path / "version" / "folder").iterdir()
    return caches, signature, njit(doubled).targetctx, file


def test_no_damaged_machine_code_is_loaded(small_cache, monkeypatch):
    """Nor is it unpickled: that could already crash, or run anything."""
    caches, signature, context, file = small_cache
    whole, chance = file.read_bytes(), random.Random(1)
    cache = caches(doubled)
    assert cache.load_overload(signature, context) is not None
    monkeypatch.setattr(numba_internals.pickle, "loads", pytest.fail)
    for _ in range(300):
        flip(file, chance)
        assert cache.load_overload(signature, context) is None
        file.write_bytes(whole)
    for content in (b"", whole[:-1], whole + b"\0", whole[1:]):
        file.write_bytes(content)
        assert cache.load_overload(signature, context) is None


def test_machine_code_in_the_place_of_another_is_not_loaded(small_cache, tmp_path):
    """Of another function, of another version of the sources, and of a key that only looks the same."""
    caches, signature, context, file = small_cache
    whole = file.read_bytes()
    numba_internals.compile_native(tripled, signature, {}, caches(tripled))
    (other,) = (path for path in file.parent.iterdir() if path != file)
    other.write_bytes(whole)
    assert caches(tripled).load_overload(signature, context) is None

    later = numba_internals.disk_cache(lambda source: tmp_path / "later" / "folder", pytest.fail)
    numba_internals.compile_native(doubled, signature, {}, later(doubled))
    (new,) = (tmp_path / "later" / "folder").iterdir()
    new.write_bytes(whole)
    assert later(doubled).load_overload(signature, context) is None

    files = numba_internals._CacheFiles(tmp_path / "version" / "folder", "name", b"")
    files.save(LooksTheSame(1), "data")
    assert files.load(LooksTheSame(1)) == "data"
    assert files.load(LooksTheSame(2)) is None


def test_long_names_are_stored(tmp_path):
    files = numba_internals._CacheFiles(tmp_path, "n" * 300, b"")
    files.save("key", "data")
    assert files.load("key") == "data"


@dataclass(frozen=True)
class LooksTheSame:
    number: int = field(repr=False)


def test_an_edited_source_of_ours_never_meets_old_code(tmp_path):
    shutil.copytree(processes.PACKAGE, tmp_path / "src" / "ramify", ignore=shutil.ignore_patterns("__pycache__"))

    def play() -> dict:
        variables = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        return json.loads(processes.run("-c", PLAYOUT, "tictactoe", source=tmp_path / "src", **variables))

    before = play()
    for file, old, new in (
        ("core/numbers/rng.py", "0xBF58476D1CE4E5B9", "0xBF58476D1CE4E5BB"),
        ("contract/bind_kernels.py", "        plies += 1\n", "        plies += 2\n"),
        (
            "games/tictactoe.py",
            "    stones = state.mine | bit(move)\n",
            "    stones = state.mine | bit(move) | bit(9)\n",
        ),
    ):
        edited = tmp_path / "src" / "ramify" / file
        text = edited.read_text()
        assert old in text
        edited.write_text(text.replace(old, new))
        after = play()
        assert after["compiled"] > 0, file
        assert {**after, "compiled": 0} != {**before, "compiled": 0}, file
        before = after


def test_without_a_folder_to_write_to_everything_works_uncached(two_cold_starts, tmp_path):
    """Below a file no folder can be made, whoever we are (an administrator may write anywhere)."""
    _, (first, _) = two_cold_starts
    (tmp_path / "file").write_text("")
    before = set(processes.PACKAGE.rglob("*.nbc"))
    process = processes.start("-c", SEARCH, "tictactoe", NUMBA_CACHE_DIR=str(tmp_path / "file" / "cache"))
    out, err = processes.finish(process)
    assert without_counts(json.loads(out)) == without_counts(first[1:])
    assert err.count("\n") == 1
    assert "is not cached" in err
    assert "NUMBA_CACHE_DIR" in err
    assert set(processes.PACKAGE.rglob("*.nbc")) == before
