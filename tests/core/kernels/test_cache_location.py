"""The folder of the cache: private, marked, and never one that holds a user's files."""

from __future__ import annotations

import grp
import os
import pwd
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ramify.core.kernels import cache_location
from ramify.core.kernels.cache_location import ENTRY, OTHER_NAME, TAG, TAG_TEXT, cache_root, clear, exposure
from ramify.core.kernels.disk_cache import source_digest
from ramify.errors import RamifyError
from tests import processes

VERSION = "0123456789abcdef"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """NUMBA_CACHE_DIR, where nothing has been stored; the user's own folder is empty too."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setenv(cache_location.REPLACEMENT, "")
    monkeypatch.setattr(cache_location, "user_folder", lambda: tmp_path / "user" / "ramify")
    monkeypatch.setattr(cache_location.tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    cache_location._usable.cache_clear()
    yield tmp_path / "numba"
    cache_location._usable.cache_clear()


def again() -> Path:
    """The folder as the next process finds it."""
    cache_location._usable.cache_clear()
    return cache_root()


def test_a_new_folder_is_private_and_marked(folder, capfd):
    before = os.umask(0)
    try:
        assert cache_root() == folder / "ramify"
    finally:
        os.umask(before)
    assert mode(folder) == mode(folder / "ramify") == 0o700
    assert (folder / "ramify" / TAG).read_text() == TAG_TEXT
    assert TAG_TEXT.startswith("Signature: 8a477f597d28d172789f06886806bc55\n")
    assert again() == folder / "ramify"
    assert capfd.readouterr() == ("", "")


def test_links_are_resolved(folder, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    assert cache_root() == tmp_path / "elsewhere" / "ramify"


@pytest.mark.parametrize("place", ["numba", "numba/ramify"])
@pytest.mark.parametrize("bits", [0o777, 0o757, 0o702])
def test_a_folder_that_others_can_write_is_not_used(folder, tmp_path, capsys, place, bits):
    (folder / "ramify").mkdir(parents=True)
    (tmp_path / place).chmod(bits)
    used = cache_root()
    assert used == (folder / OTHER_NAME if place == "numba/ramify" else tmp_path / "user" / "ramify")
    note = f"note: the cache folder {folder / 'ramify'} is not used because others can write {tmp_path / place}"
    assert capsys.readouterr().err == f"{note}; using {used}\n"
    assert list((folder / "ramify").iterdir()) == []
    assert mode(used) == 0o700
    assert (used / TAG).is_file()


def test_the_note_is_printed_once_and_workers_use_the_same_folder(folder, tmp_path, capsys):
    folder.mkdir()
    folder.chmod(0o777)
    used = cache_root()
    assert cache_root() == used
    assert capsys.readouterr().err.count("\n") == 1
    assert again() == used  # as a worker, which inherits the environment
    assert capsys.readouterr().err == ""
    used.chmod(0o777)
    assert again() != used


def test_a_worker_with_another_folder_ignores_the_replacement(folder, tmp_path, monkeypatch):
    folder.mkdir()
    folder.chmod(0o777)
    cache_root()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "other"))
    assert cache_root() == tmp_path / "other" / "ramify"


def test_a_sticky_folder_protects_what_it_holds(folder):
    folder.mkdir()
    folder.chmod(0o1777)
    assert cache_root() == folder / "ramify"
    (folder / "ramify").chmod(0o1777)  # but anybody could add files here
    assert again() == folder / OTHER_NAME


def test_a_folder_of_another_user_is_not_used(folder, tmp_path, monkeypatch, capsys):
    folder.mkdir()
    owner = folder.stat().st_uid
    monkeypatch.setattr(cache_location, "_trusted_users", lambda: {owner + 1})
    assert exposure(folder).endswith("belongs to another user")
    assert cache_root() == Path(os.devnull) / "ramify"  # nor can any other be used here
    assert "belongs to another user" in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_users_outside_a_container_own_the_systems_folders(monkeypatch):
    """In a container with its own users, Linux shows all others by one number."""
    for users, known in (("0 0 4294967295\n", False), ("0 1000 1\n1 100000 65536\n", True)):
        monkeypatch.setattr(Path, "read_text", lambda path, users=users: users)
        assert (cache_location.OVERFLOW_USER in cache_location._trusted_users.__wrapped__()) == known


def test_a_group_of_one_is_private(folder, monkeypatch):
    """Many Linux systems give each user a group of the same name and let the group write."""
    (folder / "ramify").mkdir(parents=True)
    (folder / "ramify").chmod(0o775)
    name = pwd.getpwuid(os.geteuid()).pw_name
    for group, members, private in ((name, [], True), (name, [name], True), ("lab", [], False), (name, ["eve"], False)):
        found = grp.struct_group((group, "x", 1, members))
        monkeypatch.setattr(grp, "getgrgid", lambda number, found=found: found)
        assert (exposure(folder / "ramify") is None) == private, found


def test_without_any_private_folder_a_temporary_one_is_used(folder, tmp_path, capsys):
    for place in ("numba", "user"):
        (tmp_path / place).mkdir()
        (tmp_path / place).chmod(0o777)
    lasting = tmp_path / "temporary" / f"ramify-{os.getuid()}"
    assert cache_root() == lasting
    lasting.chmod(0o777)
    fresh = again()
    assert fresh.parent == lasting.parent
    assert fresh != lasting
    assert mode(fresh) == 0o700
    assert f"; using {fresh}\n" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made_is_returned_as_before(folder, capsys):
    """Compiled code is then not cached, which is said when something is compiled."""
    folder.write_text("a file")
    assert cache_root() == folder / "ramify"
    assert capsys.readouterr().err == ""


def test_a_checkout_of_that_name_is_left_alone(folder, capsys):
    checkout = folder / "ramify"
    (checkout / "src").mkdir(parents=True)
    (checkout / VERSION).mkdir()
    assert cache_root() == folder / OTHER_NAME
    assert sorted(path.name for path in checkout.iterdir()) == [VERSION, "src"]
    clear(cache_root())
    with pytest.raises(RamifyError, match=r"cannot clear .*ramify: it has no CACHEDIR.TAG of Ramify; delete it"):
        clear(checkout)
    assert sorted(path.name for path in checkout.iterdir()) == [VERSION, "src"]
    assert capsys.readouterr().err == ""


def test_two_folders_with_other_files(folder, tmp_path, capsys):
    for name in ("ramify", OTHER_NAME):
        (folder / name).mkdir(parents=True)
        (folder / name / "notes.txt").write_text("mine")
    assert cache_root() == tmp_path / "user" / "ramify"
    assert "is not used because it holds other files; using" in capsys.readouterr().err


def test_an_older_cache_gets_the_mark(folder):
    """Versions before the mark left folders named by digests, and propnets: nothing else."""
    for name in (VERSION, "gdl", "ludii"):
        (folder / "ramify" / name).mkdir(parents=True)
    (folder / "ramify" / "reference").write_text("a program")
    (folder / "ramify").chmod(0o755)
    assert cache_root() == folder / "ramify"
    assert (folder / "ramify" / TAG).read_text() == TAG_TEXT
    assert mode(folder / "ramify") == 0o700  # folders inside may be open to a group


def test_a_damaged_mark_is_written_again(folder):
    (cache_root() / VERSION).mkdir()
    (folder / "ramify" / TAG).write_text("Signature: 8b")
    assert again() == folder / "ramify"
    assert (folder / "ramify" / TAG).read_text() == TAG_TEXT


def test_a_mark_that_is_not_a_file(folder):
    (folder / "ramify").mkdir(parents=True)
    os.mkfifo(folder / "ramify" / TAG)
    assert cache_root() == folder / OTHER_NAME


def test_the_mark_of_another_program_is_not_ours(folder):
    (folder / "ramify").mkdir(parents=True)
    text = "Signature: 8a477f597d28d172789f06886806bc55\n# This file was created by another program.\n"
    (folder / "ramify" / TAG).write_text(text)
    assert cache_root() == folder / OTHER_NAME
    assert (folder / "ramify" / TAG).read_text() == text


def test_clear_deletes_what_is_ours_and_follows_no_links(folder, tmp_path):
    root = cache_root()
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep" / "file").write_text("mine")
    (root / VERSION / "games").mkdir(parents=True)
    (root / VERSION / "games" / "code.nbc").write_text("code")
    (root / VERSION / "games" / "link").symlink_to(outside)
    (root / "gdl").symlink_to(outside)
    (root / "fedcba9876543210").symlink_to(outside / "deep" / "file")
    (root / "reference").write_text("a program")
    (root / "notes.txt").write_text("mine")
    (root / "src").mkdir()
    clear(root)
    assert sorted(path.name for path in root.iterdir()) == [TAG, "fedcba9876543210", "gdl", "notes.txt", "src"]
    assert (outside / "deep" / "file").read_text() == "mine"
    assert again() == root


def test_what_is_stored_has_a_name_of_ours():
    assert all(ENTRY.fullmatch(name) for name in (source_digest(), "gdl", "ludii", "reference"))
    assert not any(ENTRY.fullmatch(name) for name in ("src", ".git", f"{VERSION}0", VERSION.upper()))


@pytest.mark.alone
def test_processes_agree(tmp_path):
    """A process and its child, started with a folder that others can write."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba").chmod(0o777)
    ask = "from ramify.core.kernels.cache_location import cache_root; print(cache_root(), flush=True)"
    both = f"{ask}\nimport subprocess, sys\nsubprocess.run([sys.executable, '-c', {ask!r}], check=True)"
    variables = {"NUMBA_CACHE_DIR": str(tmp_path / "numba"), "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", both], env=processes.environment(**variables), capture_output=True, text=True, check=True
    )
    first, second = done.stdout.splitlines()
    assert first == second
    assert not first.startswith(str(tmp_path / "numba"))
    assert done.stderr.count("note: ") == done.stderr.count("\n") == 1
