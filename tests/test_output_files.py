"""Files that users name for output appear complete or not at all, and leave nothing beside them."""

import fcntl
import os
import signal
import subprocess
import sys

import pytest

from ramify.output_files import write_output
from tests import processes

PAGE = b"# Page of Ramify\n" + b"more\n" * 100

# Writes a page, and is killed when the draft is about to get its name.
KILLED = """
import os, signal, sys
from pathlib import Path
from ramify.output_files import write_output
Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
write_output(Path(sys.argv[1]), b"# Page of Ramify\\nold\\n", bool)
"""


def is_ours(data):
    return data.startswith(b"# Page of Ramify") and b"more" in data


@pytest.fixture
def page(tmp_path):
    return tmp_path / "page.md"


def draft_of(page, number=1):
    return page.with_name(f".page.md.ramify-new-{number}")


def names(page):
    return sorted(path.name for path in page.parent.iterdir())


def test_the_draft_of_a_killed_process_is_used_again(page):
    ended = subprocess.run([sys.executable, "-c", KILLED, page], env=processes.environment(), check=False)
    assert ended.returncode == -signal.SIGKILL
    assert names(page) == [".page.md.ramify-new-1"]
    write_output(page, PAGE, lambda data: data.startswith(b"# Page of Ramify"))
    assert names(page) == ["page.md"]
    assert page.read_bytes() == PAGE


@pytest.mark.parametrize("fragment", [b"", PAGE[:5], PAGE])
def test_fragments_of_a_draft_are_ours(page, fragment):
    draft_of(page).write_bytes(fragment)
    write_output(page, PAGE, is_ours)
    assert names(page) == ["page.md"]
    assert page.read_bytes() == PAGE


def test_what_others_have_at_that_name_is_kept(page):
    draft_of(page).write_bytes(b"a diary")
    draft_of(page, 2).mkdir()
    os.mkfifo(draft_of(page, 3))
    before = names(page)
    write_output(page, PAGE, is_ours)
    assert names(page) == [*before, "page.md"]
    assert draft_of(page).read_bytes() == b"a diary"


def test_the_draft_of_a_living_process_is_kept(page):
    with draft_of(page).open("wb") as draft:
        fcntl.flock(draft, fcntl.LOCK_EX)
        write_output(page, PAGE, is_ours)
        assert names(page) == [".page.md.ramify-new-1", "page.md"]


def test_a_write_that_fails_leaves_nothing(page, monkeypatch):
    page.mkdir()
    monkeypatch.setattr("ramify.output_files.check_replaceable", lambda path, _: path)
    with pytest.raises(OSError, match="directory"):
        write_output(page, PAGE, is_ours)
    assert names(page) == ["page.md"]
