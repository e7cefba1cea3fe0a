"""Damaged runs: a sentence wherever they are opened or read, and every row that is left comes back."""

import json
import random
import sqlite3
from contextlib import suppress
from dataclasses import replace

import pytest

from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.rows import GAME_TABLE
from ramify.errors import RamifyError
from ramify.experiments.framework.work import CHUNK_TABLE
from ramify.runs.salvage.salvage import salvage
from ramify.runs.salvage.sqlite_pages import read_pages
from ramify.runs.store import Reader, Store
from tests.arena.games_for_tests import short_plan
from tests.runs.old_files import without_digests

SIZE = 4096  # of a page
PLAN = short_plan(games=6)
DESCRIPTION = PLAN.description()
SENTENCE = r"run\.db is damaged \(.*\); `ramify report .*run\.db --salvage NEW\.db` copies what can still be read"


@pytest.fixture(scope="module")
def records():
    """Two hundred games; some have so many moves that they go on on other pages."""
    return made_games(100)


def made_games(pairs):
    games = [play(spec) for spec in PLAN.schedule().games(PLAN.pairs)]
    made = []
    for spec in PLAN.schedule().games(pairs):
        number = spec.number
        record = list(replace(games[number % len(games)], **vars(spec)).record())
        times = 1 if number % 20 else 300
        moves, searched = (json.loads(record[GAME_TABLE.columns.index(name)]) for name in ("moves", "searched"))
        values = {"moves": moves * times, "searched": searched * times, "plies": len(moves) * times}
        for name, value in values.items():
            record[GAME_TABLE.columns.index(name)] = json.dumps(value) if isinstance(value, list) else value
        made.append(tuple(record))
    return made


@pytest.fixture
def run(tmp_path, records):
    path = tmp_path / "run.db"
    store = Store(path, DESCRIPTION, GAME_TABLE)
    store.add(records)
    store.close()
    return path


def saved(path, new):
    """What comes out, and the rows in the new file."""
    new.unlink(missing_ok=True)
    result = salvage(path, new, (CHUNK_TABLE, GAME_TABLE))
    with Reader(new, GAME_TABLE) as reader:
        rows = list(reader.records())
    assert len(rows) == result.saved
    return result, rows


def look(path):
    """Read everything as commands do."""
    with Reader(path, GAME_TABLE) as reader:
        reader.description()
        return list(reader.records())


def go_on(path):
    """Begin as a driver does."""
    store = Store(path, {}, GAME_TABLE)
    try:
        store.description()
        return list(store.records())
    finally:
        store.close()


def refused_or_left_out(path):
    """The sentence, or the number of rows that fit."""
    with suppress(RamifyError):
        return len(go_on(path))
    with pytest.raises(RamifyError, match=SENTENCE):
        go_on(path)
    return SENTENCE


def test_an_undamaged_run_is_copied(run, records, tmp_path):
    result, rows = saved(run, tmp_path / "new.db")
    assert rows == records
    assert (result.unread, result.damaged, result.has_description, result.rows) == (0, 0, True, "games")
    assert result.to_dict()["has_description"] is result.to_dict()["described"] is True  # the new name and the old one
    with pytest.warns(DeprecationWarning, match="has_description"):
        assert result.described
    assert "no damage found" in str(result)
    with Reader(tmp_path / "new.db", GAME_TABLE) as reader:
        assert reader.description() == DESCRIPTION
    assert not list(tmp_path.glob("*lock"))


@pytest.mark.parametrize("fill", ["zeros", "noise"])
def test_any_page_may_be_lost(run, records, tmp_path, fill):
    whole = run.read_bytes()
    pages = len(whole) // SIZE
    assert pages > 40
    chance = random.Random(1)
    for page in (0, 1, 2, *range(3, pages, 4)):
        spoilt = bytearray(whole)
        spoilt[page * SIZE : (page + 1) * SIZE] = bytes(SIZE) if fill == "zeros" else chance.randbytes(SIZE)
        run.write_bytes(spoilt)
        assert refused_or_left_out(run) in (SENTENCE, 199)  # the page may be the end of a long row
        run.write_bytes(spoilt)
        result, rows = saved(run, tmp_path / "new.db")
        assert set(rows) <= set(records)
        assert 180 <= len(rows) < 200 or page < 3 or (len(rows) == 200 and result.damaged == 1)
        assert result.damaged or result.unread


def test_a_file_may_end_anywhere(run, records, tmp_path):
    whole = run.read_bytes()
    chance = random.Random(2)
    for _ in range(8):
        length = chance.randrange(2 * SIZE, len(whole))
        run.write_bytes(whole[:length])
        with pytest.raises(RamifyError, match=SENTENCE):
            look(run)
        result, rows = saved(run, tmp_path / "new.db")
        assert set(rows) <= set(records)
        assert len(rows) >= 200 * length / len(whole) - 20
        assert result.damaged or result.unread  # half a page at the end of a row


def test_a_file_of_which_nothing_is_left(run, tmp_path):
    run.write_bytes(run.read_bytes()[:1000])
    with pytest.raises(RamifyError, match="is damaged, and none of its rows can be read"):
        look(run)
    with pytest.raises(RamifyError, match="it has no readable rows of a run"):
        salvage(run, tmp_path / "new.db", (GAME_TABLE, CHUNK_TABLE))
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize(("first", "last"), [(0, 16), (16, 24), (28, 32), (40, 100), (0, 100), (0, SIZE)])
def test_a_wrong_header(run, records, tmp_path, first, last):
    spoilt = bytearray(run.read_bytes())
    spoilt[first:last] = random.Random(3).randbytes(last - first)
    run.write_bytes(spoilt)
    with pytest.raises(RamifyError):
        look(run)
    result, rows = saved(run, tmp_path / "new.db")
    assert rows == records
    assert result.has_description


def test_the_log_is_read_too(run, records, tmp_path):
    more = made_games(125)[200:]
    store = Store(run, DESCRIPTION, GAME_TABLE)
    store._connection.execute("PRAGMA wal_autocheckpoint = 0")
    store.add(more)
    store.flush()
    copy = tmp_path / "copy.db"
    copy.write_bytes(run.read_bytes()[: 20 * SIZE])
    (tmp_path / "copy.db-wal").write_bytes((tmp_path / "run.db-wal").read_bytes())
    store.close()
    _, rows = saved(copy, tmp_path / "new.db")
    assert set(more) <= set(rows) <= set(records + more)
    assert len(rows) < 250


DESCRIPTIONS = ["", "{", "nonsense", "[]", "3", json.dumps({"kind": "match"}), "\ud7ff" * 10]


@pytest.mark.parametrize("text", DESCRIPTIONS)
def test_a_malformed_description(run, records, tmp_path, text):
    with sqlite3.connect(run) as connection:
        connection.execute("UPDATE run SET value = ?", (text,))
    connection.close()
    if not text.startswith("{") or text == "{":
        with pytest.raises(RamifyError, match=SENTENCE):
            look(run)
    result, rows = saved(run, tmp_path / "new.db")
    assert rows == records
    assert not result.has_description
    assert "pass the run's --seed to its command" in str(result)


NONSENSE = [
    ("score", "much"),
    ("score", 7.5),
    ("pair", "third"),
    ("pairing", -1),
    ("moves", "[1, 2"),
    ("agents", "[]"),
    ("limits", '[{"hours": 3}, {}]'),
    ("seconds", "[NaN, 1.0]"),
    ("plies", 3000),
    ("game", b"\xff\xfe"),
]


@pytest.mark.parametrize("version", ["older", "this"])
@pytest.mark.parametrize(("column", "value"), NONSENSE)
def test_a_row_of_nonsense(run, records, tmp_path, column, value, version):
    why = "its values do not match its digest"
    if version == "older":
        without_digests(run)
        why = "it is invalid"
    with sqlite3.connect(run) as connection:
        connection.execute(f"UPDATE games SET {column} = ? WHERE number = 7", (value,))
    connection.close()
    others = records[:6] + records[7:]
    assert look(run) == others
    with Reader(run, GAME_TABLE) as reader:
        assert reader.record(8) == records[7]
        with pytest.raises(
            RamifyError, match=rf"row 7 of .*run\.db is left out: {why}; the run's own command computes"
        ):
            reader.record(7)
        assert reader.left_out == {7: why}
        assert 7 not in reader.numbers()
        notes = reader.notes()
        assert notes[0] == f"row 7 of {run} is left out: {why}; the run's own command computes it again"
        older = ["199 rows were stored by an older version without a digest"]
        assert notes[1:] == (older if version == "older" else [])
    result, rows = saved(run, tmp_path / "new.db")
    assert rows == others
    assert result.unread == 1
    assert result.left_out == {7: why}
    assert f"lost      1 games that are invalid\n          row 7: {why}" in str(result)
    store = Store(run, DESCRIPTION, GAME_TABLE)
    assert list(store.records()) == others
    store.add([records[6]])
    store.close()
    assert look(run) == records


@pytest.mark.parametrize("version", ["older", "this"])
def test_text_that_is_none(run, records, version):
    if version == "older":
        without_digests(run)
    with sqlite3.connect(run) as connection:
        connection.execute("UPDATE games SET versions = CAST(x'ff80ff' AS TEXT) WHERE number = 9")
    connection.close()
    assert look(run) == records[:8] + records[9:]
    with sqlite3.connect(run) as connection:
        connection.execute("UPDATE run SET value = CAST(x'7b7dff1b' AS TEXT) WHERE key = 'description'")
    connection.close()
    with pytest.raises(RamifyError, match=SENTENCE) as caught:
        look(run)
    assert "\x1b" not in str(caught.value)


def test_what_cannot_be_salvaged(run, tmp_path):
    with pytest.raises(RamifyError, match="already exists: choose another file"):
        salvage(run, run, (GAME_TABLE,))
    with pytest.raises(RamifyError, match="there is no file"):
        salvage(tmp_path / "none.db", tmp_path / "new.db", (GAME_TABLE,))
    with pytest.raises(RamifyError, match="is a folder"):
        salvage(tmp_path, tmp_path / "new.db", (GAME_TABLE,))
    with pytest.raises(RamifyError, match="there is no folder"):
        salvage(run, tmp_path / "none" / "new.db", (GAME_TABLE,))
    store = Store(run, DESCRIPTION, GAME_TABLE)
    with pytest.raises(RamifyError, match="is in use by"):
        salvage(run, tmp_path / "new.db", (GAME_TABLE,))
    store.close()
    Store(tmp_path / "empty.db", DESCRIPTION, GAME_TABLE).close()
    with pytest.raises(RamifyError, match="none of its games can be read"):
        salvage(tmp_path / "empty.db", tmp_path / "new.db", (GAME_TABLE,))
    (tmp_path / "notes.txt").write_text("no database at all\n" * 500)
    with pytest.raises(RamifyError, match="it has no readable rows of a run"):
        salvage(tmp_path / "notes.txt", tmp_path / "new.db", (GAME_TABLE,))


@pytest.mark.parametrize("size", [512, 1024, 65536])
def test_pages_of_other_sizes(tmp_path, records, size):
    path = tmp_path / "run.db"
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA page_size = {size}")
    connection.executescript(GAME_TABLE.create)
    connection.executemany(GAME_TABLE.insert, [(*record, "digest") for record in records])
    connection.commit()
    connection.close()
    pages = read_pages(path)
    assert pages.size == size
    games = [row for row in pages.rows() if row[0] is not None and len(row[1]) == len(GAME_TABLE.columns) + 1]
    assert sorted(row[0] for row in games) == list(range(1, 201))
    assert pages.damaged() == pages.unread == 0


def test_pages_agree_with_sqlite_on_all_kinds_of_values(tmp_path):
    chance = random.Random(4)
    whole = [0, 1, -1, *(sign * 2**k + d for k in (7, 15, 23, 31, 47, 62) for d in (-1, 0, 1) for sign in (1, -1))]
    rows = [
        (number, chance.choice(whole), chance.choice([None, 1.5, -2e300]), "x" * chance.randrange(9000), b"\0\xff")
        for number in (1, 2, 3, 127, 128, 2**31, 2**62, -5)
    ]
    path = tmp_path / "any.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE any (number INTEGER PRIMARY KEY, a, b, c, d)")
    connection.executemany("INSERT INTO any VALUES (?, ?, ?, ?, ?)", rows)
    connection.commit()
    connection.close()
    found = {number: (number, *values[1:]) for number, values in read_pages(path).rows() if values[0] is None}
    assert found == {row[0]: row for row in rows}
