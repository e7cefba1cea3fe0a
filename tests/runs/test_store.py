import os
import sqlite3
import subprocess
import sys

import pytest

from ramify.arena.matches.playing.play_game import play
from ramify.arena.matches.rows import GAME_TABLE, stored_row
from ramify.errors import RamifyError
from ramify.runs import lock as lock_module
from ramify.runs.run_file import APPLICATION
from ramify.runs.salvage.salvage import salvage
from ramify.runs.store import Reader, Store
from tests.arena.games_for_tests import short_plan, timeless
from tests.runs.old_files import without_digests

PLAN = short_plan(games=6)


@pytest.fixture(scope="module")
def records():
    return [play(spec).record() for spec in PLAN.schedule().games(PLAN.pairs)]


def test_rows_come_back_in_order(tmp_path, records):
    store = Store(tmp_path / "run.db", {"kind": "match"}, GAME_TABLE)
    store.add(records[::-1])
    store.close()
    with Reader(tmp_path / "run.db", GAME_TABLE) as reader:
        assert list(reader.records()) == records
        assert reader.numbers() == {1, 2, 3, 4, 5, 6}
        assert stored_row(reader, 3).record() == records[2]
        assert reader.description() == {"kind": "match"}
        with pytest.raises(RamifyError, match="has no game 7: it has 6 games up to 6"):
            stored_row(reader, 7)


def test_a_closed_run_is_one_file(tmp_path, records):
    store = Store(tmp_path / "run.db", {}, GAME_TABLE)
    store.add(records)
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == ["run.db"]


def test_a_game_is_stored_once(tmp_path, records):
    for _ in range(2):
        store = Store(tmp_path / "run.db", {}, GAME_TABLE)
        store.add(records[:4])
        store.close()
    with Reader(tmp_path / "run.db", GAME_TABLE) as reader:
        assert list(reader.records()) == records[:4]


def test_a_reader_sees_flushed_games_while_others_are_written(tmp_path, records):
    store = Store(tmp_path / "run.db", {}, GAME_TABLE)
    store.add(records[:2])
    store.flush()
    with Reader(tmp_path / "run.db", GAME_TABLE) as reader:
        store.add(records[2:])
        store.flush()
        assert timeless(reader.records()) == timeless(records)
    store.close()


def test_a_second_driver_is_refused(tmp_path):
    store = Store(tmp_path / "run.db", {}, GAME_TABLE)
    with pytest.raises(RamifyError, match=f"is in use by process {os.getpid()} on .*: wait for it"):
        Store(tmp_path / "run.db", {}, GAME_TABLE)
    store.close()
    Store(tmp_path / "run.db", {}, GAME_TABLE).close()


def test_a_lock_dies_with_its_holder(tmp_path):
    path = tmp_path / "run.db"
    program = "import os, pathlib, sys; from ramify.runs.lock import Lock; Lock(pathlib.Path(sys.argv[1])); os._exit(9)"
    subprocess.run([sys.executable, "-c", program, path], check=False)
    assert (tmp_path / ".run.db.ramify-lock").exists()
    Store(path, {}, GAME_TABLE).close()


def test_a_lock_file_removed_in_between_is_taken_again(tmp_path, monkeypatch):
    taken = []
    flock = lock_module.fcntl.flock

    def remove_once(file, how):
        if not taken:
            (tmp_path / ".run.db.ramify-lock").unlink()
        taken.append(file)
        flock(file, how)

    monkeypatch.setattr(lock_module.fcntl, "flock", remove_once)
    store = Store(tmp_path / "run.db", {}, GAME_TABLE)
    assert len(taken) == 2
    assert (tmp_path / ".run.db.ramify-lock").exists()
    store.close()


def unharmed(path, sentence):
    """Whatever opens the file says the sentence and leaves the file as it is."""
    before = path.read_bytes()
    for attempt in (lambda: Store(path, {}, GAME_TABLE), lambda: Reader(path, GAME_TABLE)):
        with pytest.raises(RamifyError, match=sentence):
            attempt()
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, and no database at all\n" * 50)
    unharmed(path, "is not a run of Ramify: file is not a database")


def test_a_database_of_another_program(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    unharmed(path, "belongs to another program")


@pytest.mark.parametrize(("schema", "age"), [(0, "an older"), (99, "a newer")])
def test_a_run_of_another_version(tmp_path, schema, age):
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as old:
        old.execute(f"PRAGMA application_id = {APPLICATION}")
        old.execute(f"PRAGMA user_version = {schema}")
        old.execute("CREATE TABLE games (x)")
    old.close()
    unharmed(path, f"was written by {age} version of Ramify")


def test_places_where_no_run_can_be(tmp_path):
    with pytest.raises(RamifyError, match="is a folder: name a file"):
        Store(tmp_path, {}, GAME_TABLE)
    with pytest.raises(RamifyError, match="there is no folder"):
        Store(tmp_path / "missing" / "run.db", {}, GAME_TABLE)
    with pytest.raises(RamifyError, match="there is no file"):
        Reader(tmp_path / "missing.db", GAME_TABLE)


def test_a_read_only_folder(tmp_path, monkeypatch, records):
    """By a fault put in, because the tests may run as root, whom no permission stops."""
    store = Store(tmp_path / "run.db", {}, GAME_TABLE)
    store.add(records)
    store.close()

    def refuse(path, *_):
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(lock_module.os, "open", refuse)
        with pytest.raises(RamifyError, match=r"cannot write .*: Permission denied"):
            Store(tmp_path / "run.db", {}, GAME_TABLE)
    with Reader(tmp_path / "run.db", GAME_TABLE) as reader:
        assert len(list(reader.records())) == len(records)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(tmp_path, records):
    store = Store(tmp_path / "run.db", {}, GAME_TABLE)
    store.add(records)
    store.close()
    tmp_path.chmod(0o555)
    try:
        with pytest.raises(RamifyError, match="cannot write"):
            Store(tmp_path / "run.db", {}, GAME_TABLE)
        with Reader(tmp_path / "run.db", GAME_TABLE) as reader:
            assert len(list(reader.records())) == len(records)
    finally:
        tmp_path.chmod(0o755)


def test_a_full_disk_costs_only_what_was_not_written(tmp_path, records):
    path = tmp_path / "run.db"
    store = Store(path, {}, GAME_TABLE)
    store.add(records[:2])
    store.flush()
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    many = [(100 + number, *records[2][1:]) for number in range(300)]
    store.add(many)
    with pytest.raises(RamifyError, match=r"cannot write .*: database or disk is full; stored rows are safe"):
        store.flush()
    with pytest.raises(RamifyError, match="disk is full"):
        store.close()
    again = Store(path, {}, GAME_TABLE)
    assert list(again.records()) == records[:2]
    again.add(many)
    again.close()
    with Reader(path, GAME_TABLE) as reader:
        assert len(reader.numbers()) == 302


def test_a_log_without_its_run_is_left_alone(tmp_path):
    (tmp_path / "run.db-wal").write_bytes(b"x" * 100)
    with pytest.raises(RamifyError, match=r"run\.db-wal exists without its run"):
        Store(tmp_path / "run.db", {}, GAME_TABLE)
    assert [path.name for path in tmp_path.iterdir()] == ["run.db-wal"]


def test_an_empty_file_becomes_a_run(tmp_path):
    (tmp_path / "run.db").touch()
    Store(tmp_path / "run.db", {"kind": "match"}, GAME_TABLE).close()
    with Reader(tmp_path / "run.db", GAME_TABLE) as reader:
        assert reader.description() == {"kind": "match"}


def test_a_run_in_memory(records):
    store = Store(None, {"kind": "match"}, GAME_TABLE)
    store.add(records)
    store.flush()
    assert list(store.records()) == records
    store.close()


def as_before(path, records, lacking):
    """A file as it was written before rows had the last columns."""
    Store(path, {"kind": "match"}, GAME_TABLE).close()
    without_digests(path)
    connection = sqlite3.connect(path)
    for column in lacking:
        connection.execute(f"ALTER TABLE games DROP COLUMN {column}")
    marks = ", ".join("?" * (len(GAME_TABLE.columns) - len(lacking)))
    connection.executemany(f"INSERT INTO games VALUES ({marks})", [record[: -len(lacking)] for record in records])
    connection.commit()
    connection.close()


@pytest.mark.parametrize("lacking", [("faults",), ("overruns", "faults")], ids=len)
def test_old_files_can_be_read_and_go_on(tmp_path, records, lacking):
    path = tmp_path / "run.db"
    as_before(path, records[:4], lacking)
    old = [(*record[: -len(lacking)], *("[]" for _ in lacking)) for record in records[:4]]
    with Reader(path, GAME_TABLE) as reader:
        assert list(reader.records()) == old
        assert stored_row(reader, 2).faults == ()
        store = Store(path, {}, GAME_TABLE)
        store.add(records[4:])
        store.close()
        assert list(reader.records())[:4] == old
    with Reader(path, GAME_TABLE) as reader:
        assert list(reader.records()) == [*old, *records[4:]]


@pytest.mark.parametrize("lacking", [("faults",), ("overruns", "faults")], ids=len)
def test_old_files_can_be_salvaged(tmp_path, records, lacking):
    path, new = tmp_path / "run.db", tmp_path / "new.db"
    as_before(path, records[:4], lacking)
    Store(path, {}, GAME_TABLE).close()  # the columns are there, but not in the rows
    assert salvage(path, new, [GAME_TABLE]).saved == 4
    with Reader(new, GAME_TABLE) as reader:
        old = [(*record[: -len(lacking)], *("[]" for _ in lacking)) for record in records[:4]]
        assert list(reader.records()) == old
