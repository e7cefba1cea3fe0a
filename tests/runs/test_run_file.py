"""Users' files are left alone: whatever is no regular file, side files that are not ours, runs that disappear."""

import fcntl
import os
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing

import pytest

from ramify.errors import RamifyError
from ramify.runs.salvage.salvage import salvage
from ramify.runs.session import Session
from ramify.runs.store import Reader, Store
from tests.processes import environment
from tests.runs.test_session import SQUARES, Squares, here

ROWS = [(number, number**2) for number in range(1, 9)]
DESCRIPTION = {"base": 10}


def store_in(path, rows=()):
    store = Store(path, DESCRIPTION, SQUARES)
    store.add(rows)
    store.flush()
    return store


def rows_in(path):
    with Reader(path, SQUARES) as reader:
        assert reader.description() == DESCRIPTION
        return list(reader.records())


def snapshot(folder):
    """Kind, size and change time of everything in a folder, and what regular files hold."""
    found = {}
    for path in folder.iterdir():
        status = path.lstat()
        held = path.read_bytes() if stat.S_ISREG(status.st_mode) else None
        found[path.name] = (status.st_mode, status.st_ino, status.st_mtime_ns, held)
    return found


def is_refused(path, sentence):
    """A run in this file is refused, and nothing in its folder changes."""
    before = snapshot(path.parent)
    with pytest.raises(RamifyError, match=sentence):
        Store(path, DESCRIPTION, SQUARES)
    assert snapshot(path.parent) == before


def test_a_named_pipe(tmp_path):
    os.mkfifo(tmp_path / "run.db")
    is_refused(tmp_path / "run.db", r"run\.db is a named pipe: name a regular file or a new one")


def test_a_socket(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    with socket.socket(socket.AF_UNIX) as one:
        one.bind("run.db")
        is_refused(tmp_path / "run.db", r"run\.db is a socket: name a regular file")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_a_device(tmp_path):
    os.mknod(tmp_path / "run.db", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    is_refused(tmp_path / "run.db", r"run\.db is a device: name a regular file")
    (tmp_path / "link.db").symlink_to(tmp_path / "run.db")
    is_refused(tmp_path / "link.db", r"link\.db is a device: name a regular file")


@pytest.mark.parametrize("target", ["pipe", "nothing", "folder", "link.db"])
def test_a_link_to_anything_but_a_regular_file(tmp_path, target):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.db").symlink_to(tmp_path / target)
    sentence = {
        "pipe": "is a named pipe: name a regular file",
        "nothing": "is a symbolic link to .*nothing, which does not exist: name the file itself",
        "folder": "is a folder: name a file for the run",
        "link.db": "cannot write .*: too many levels of symbolic links",
    }
    is_refused(tmp_path / "link.db", sentence[target])


@pytest.mark.parametrize("empty", [True, False])
def test_a_link_to_a_run_is_followed(tmp_path, empty):
    (tmp_path / "there").mkdir()
    run, link = tmp_path / "there" / "run.db", tmp_path / "link.db"
    if empty:
        run.touch()
    else:
        store_in(run, ROWS[:2]).close()
    link.symlink_to(run)
    store = store_in(link, ROWS[2:4])
    with pytest.raises(RamifyError, match="is in use by process"):
        Store(run, DESCRIPTION, SQUARES)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.db", "there"]
    store.close()
    assert link.is_symlink()
    assert rows_in(link) == rows_in(run) == ROWS[2 if empty else 0 : 4]
    assert [path.name for path in run.parent.iterdir()] == ["run.db"]


def test_an_empty_file_keeps_its_permissions(tmp_path):
    (tmp_path / "run.db").touch(0o600)
    store_in(tmp_path / "run.db", ROWS).close()
    assert stat.S_IMODE((tmp_path / "run.db").stat().st_mode) == 0o600


def test_a_file_with_the_name_of_memory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = store_in(":memory:", ROWS)
    assert store.name == ":memory:"
    store.close()
    assert rows_in(tmp_path / ":memory:") == ROWS


@pytest.mark.parametrize("name", ["run.db.new", "run.db.lock", "run.db.rescued-1", "run.db.new-journal"])
def test_files_of_the_user_beside_the_run_are_kept(tmp_path, name):
    (tmp_path / name).write_text("my notes")
    store_in(tmp_path / "run.db", ROWS).close()
    assert (tmp_path / name).read_text() == "my notes"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.db", name]


@pytest.mark.parametrize("name", [".run.db.ramify-new", ".run.db.ramify-lock", "run.db-wal", "run.db-journal"])
@pytest.mark.parametrize("begun", [True, False])
def test_side_files_that_are_not_ours_are_refused(tmp_path, name, begun):
    if begun:
        store_in(tmp_path / "run.db", ROWS[:2]).close()
    orphan = not begun and "ramify" not in name
    sentence = rf"{name} {'exists without its run' if orphan else '.*: move it, or choose another file'}"
    (tmp_path / name).write_text("my notes")
    is_refused(tmp_path / "run.db", sentence)
    (tmp_path / name).unlink()
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    is_refused(tmp_path / "run.db", sentence)


def test_a_shared_memory_file_that_is_not_ours(tmp_path):
    store_in(tmp_path / "run.db", ROWS[:2]).close()
    (tmp_path / "run.db-shm").write_text("my notes")
    is_refused(tmp_path / "run.db", r"run\.db-shm would be overwritten, and SQLite did not write it: move it")


@pytest.mark.parametrize(
    ("name", "left"), [("run.db-shm", bytes(3)), ("run.db-journal", bytes(600)), ("run.db-wal", b"")]
)
def test_what_sqlite_leaves_when_it_is_killed_does_not_block(tmp_path, name, left):
    store_in(tmp_path / "run.db", ROWS[:2]).close()
    (tmp_path / name).write_bytes(left)
    store_in(tmp_path / "run.db", ROWS).close()
    assert rows_in(tmp_path / "run.db") == ROWS


def test_leftovers_of_a_killed_process_do_not_block(tmp_path):
    (tmp_path / ".run.db.ramify-lock").write_text("ramify: process 1 on nowhere")
    (tmp_path / ".run.db.ramify-new").touch()
    store_in(tmp_path / "run.db", ROWS[:2]).close()
    (tmp_path / ".run.db.ramify-lock").touch()
    os.link(tmp_path / "run.db", tmp_path / ".run.db.ramify-new")  # killed just after the run got its name
    store_in(tmp_path / "run.db", ROWS).close()
    assert rows_in(tmp_path / "run.db") == ROWS
    assert [path.name for path in tmp_path.iterdir()] == ["run.db"]


def test_a_run_that_appears_while_another_is_created_is_kept(tmp_path, monkeypatch):
    run = tmp_path / "run.db"
    link = os.link
    monkeypatch.setattr(os, "link", lambda *names: (run.write_text("my notes"), link(*names)))
    with pytest.raises(RamifyError, match="was created by another process: choose another file"):
        Store(run, DESCRIPTION, SQUARES)
    assert run.read_text() == "my notes"
    assert [path.name for path in tmp_path.iterdir()] == ["run.db"]


def test_file_systems_without_links(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    store_in(tmp_path / "run.db", ROWS).close()
    assert rows_in(tmp_path / "run.db") == ROWS
    assert [path.name for path in tmp_path.iterdir()] == ["run.db"]


def test_a_driver_of_an_older_version_is_noticed(tmp_path):
    store_in(tmp_path / "run.db", ROWS[:2]).close()
    with (tmp_path / "run.db.lock").open("w") as lock:
        lock.write("process 5 on elsewhere")
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        is_refused(tmp_path / "run.db", r"run\.db is in use by process 5 on elsewhere: wait for it")
    store_in(tmp_path / "run.db").close()
    assert (tmp_path / "run.db.lock").read_text() == "process 5 on elsewhere"


STOP_IN_SALVAGE = """
import os, sys
from pathlib import Path
from ramify.runs.salvage import salvage
from tests.runs.test_session import SQUARES
salvage.Store.close = lambda store: (store.flush(), os._exit(9))
salvage.salvage(Path(sys.argv[1]), Path(sys.argv[2]), [SQUARES])
"""


@pytest.mark.alone
def test_a_salvage_that_was_killed_leaves_nothing_and_can_be_repeated(tmp_path):
    run, new = tmp_path / "run.db", tmp_path / "new.db"
    store_in(run, ROWS).close()
    done = subprocess.run([sys.executable, "-c", STOP_IN_SALVAGE, run, new], check=False, env=environment())
    assert done.returncode == 9
    assert not new.exists()
    assert salvage(run, new, [SQUARES]).saved == len(ROWS)
    assert rows_in(new) == ROWS
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.db", "run.db"]


def delete(run):
    run.unlink()


def delete_with_its_log(run):
    for name in ("run.db", "run.db-wal", "run.db-shm"):
        run.with_name(name).unlink()


def move(run):
    run.rename(run.with_name("moved.db"))


def replace(run):
    with closing(sqlite3.connect(run.with_name("other.db"))) as other, other:
        other.execute("CREATE TABLE mine (x)")
    run.with_name("other.db").replace(run)


def delete_the_log(run):
    run.with_name("run.db-wal").unlink()


LOSSES = [delete, delete_with_its_log, move, replace, delete_the_log]


@pytest.mark.parametrize("lose", LOSSES)
@pytest.mark.parametrize("at_close", [True, False])
def test_a_run_that_disappears_is_noticed_and_its_rows_are_kept(tmp_path, lose, at_close):
    run = tmp_path / "run.db"
    (tmp_path / "run.db.rescued-1").write_text("my notes")
    store = store_in(run, ROWS[:4])
    lose(run)
    store.add(ROWS[4:])
    how = "replaced by another file" if lose is replace else "deleted or moved"
    what = r"run\.db-wal" if lose is delete_the_log else r"run\.db"
    sentence = rf"{what} was {how} while the run was being written: its 8 rows are in .*run\.db\.rescued-2; move it to"
    with pytest.raises(RamifyError, match=sentence):
        store.close() if at_close else store.flush()
    if not at_close:
        with pytest.raises(RamifyError, match=sentence):
            store.flush()
        store.close()
    assert rows_in(tmp_path / "run.db.rescued-2") == ROWS
    assert (tmp_path / "run.db.rescued-1").read_text() == "my notes"
    kept = {move: ["moved.db"], replace: ["run.db"], delete_the_log: ["run.db"]}.get(lose, [])
    assert sorted(path.name for path in tmp_path.iterdir()) == [*kept, "run.db.rescued-1", "run.db.rescued-2"]
    if lose is move:
        assert rows_in(tmp_path / "moved.db") == ROWS
    if lose is delete_the_log:
        assert rows_in(run) == ROWS
    if lose is replace:
        with closing(sqlite3.connect(run)) as other:
            assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)]


def test_a_link_that_is_changed_is_noticed(tmp_path):
    run, link = tmp_path / "run.db", tmp_path / "link.db"
    run.touch()
    link.symlink_to(run)
    store = store_in(link, ROWS)
    link.unlink()
    link.symlink_to(tmp_path / "other.db")
    with pytest.raises(RamifyError, match=r"link\.db was deleted or moved .*: its 8 rows are in .*/run\.db\.rescued-1"):
        store.close()
    assert rows_in(run) == rows_in(tmp_path / "run.db.rescued-1") == ROWS


def test_a_run_whose_folder_disappears_is_kept_in_the_current_folder(tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    store = store_in(tmp_path / "there" / "run.db", ROWS)
    shutil.rmtree(tmp_path / "there")
    with pytest.raises(RamifyError, match=r"its 8 rows are in .*/here/run\.db\.rescued-1"):
        store.close()
    assert rows_in(tmp_path / "here" / "run.db.rescued-1") == ROWS


def test_a_rescued_run_resumes(tmp_path):
    run = tmp_path / "run.db"
    sentence = "was deleted or moved while the run was being written: its 5 rows"
    with pytest.raises(RamifyError, match=sentence), Session(Squares(5, seed=7), run) as session:
        session.run(here, lambda driver: driver.done == 3 and run.unlink())
    (tmp_path / "run.db.rescued-1").rename(run)
    with Session(Squares(8, seed=7), run) as session:
        assert session.driver.done == 5
        session.run(here)
    with Reader(run, SQUARES) as reader:
        assert list(reader.records()) == [(number, number**2 + 7) for number in range(1, 9)]


def copy_onto(run, source):
    """As ``cp`` does it: the same file gets other contents."""
    with run.open("r+b") as file:
        file.truncate()
        file.write(source)


@pytest.mark.parametrize("kind", ["nothing", "another run"])
def test_a_run_overwritten_in_place_is_noticed(tmp_path, kind):
    run = tmp_path / "run.db"
    store_in(tmp_path / "other.db", [(number, 0) for number in range(3000)]).close()
    source = b"" if kind == "nothing" else (tmp_path / "other.db").read_bytes()
    many = [(number, number**2) for number in range(1, 3001)]
    store_in(run, many[:2000]).close()
    store = store_in(run, many[2000:])
    copy_onto(run, source)
    with pytest.raises(RamifyError, match=r"run\.db is damaged \(.*\); `ramify report .* --salvage NEW\.db`"):
        store.close()
    if kind == "nothing":
        assert salvage(run, tmp_path / "new.db", [SQUARES]).saved >= 1000  # those of the last session


def test_an_older_copy_put_back_in_place_is_noticed(tmp_path):
    run = tmp_path / "run.db"
    store_in(run, ROWS[:2]).close()
    before = run.read_bytes()
    store_in(run, ROWS[2:6]).close()
    store = store_in(run)
    copy_onto(run, before)
    store.add(ROWS[6:])
    with pytest.raises(RamifyError, match=r"run\.db is damaged \(another program has overwritten it\)"):
        store.close()


def test_another_program_may_write_the_log_back(tmp_path):
    run = tmp_path / "run.db"
    store = store_in(run, ROWS[:4])
    before = run.stat().st_mtime_ns
    with closing(sqlite3.connect(run)) as other:
        other.execute("PRAGMA wal_checkpoint(FULL)")
    assert run.stat().st_mtime_ns != before
    store.add(ROWS[4:])
    store.close()
    assert rows_in(run) == ROWS


LEAVE_A_LOG = """
import os, sys
from ramify.runs.store import Store
from tests.runs.test_run_file import DESCRIPTION, ROWS, SQUARES, store_in
store_in(sys.argv[1], ROWS[:2])
os._exit(0)
"""
LOCK = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 128)
"""


@pytest.mark.alone
def test_readers_in_the_same_process_keep_their_locks(tmp_path):
    """A process that closes a file loses all locks on it, and without them others truncate SQLite's shared memory."""
    run = tmp_path / "run.db"
    subprocess.run([sys.executable, "-c", LEAVE_A_LOG, run], check=True, env=environment())
    with Reader(run, SQUARES) as reader:
        assert list(reader.records()) == ROWS[:2]
        store = store_in(run, ROWS)
        locking = [sys.executable, "-c", LOCK, tmp_path / "run.db-shm"]
        done = subprocess.run(locking, capture_output=True, text=True, check=False)
        assert "BlockingIOError" in done.stderr
        store.close()
