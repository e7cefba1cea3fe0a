"""Standard streams that are full, closed or limited to ASCII."""

import os
import subprocess
import sys

import pytest

from tests import processes
from tests.cli.count_class import CLASS

FULL = "/dev/full"
NO_SPACE = "ramify: the output cannot be written: no space left on device\n"
CLOSED = "ramify: the output cannot be written: standard output is closed\n"
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

# Names and a board that are not ASCII.
ARROWS = f"""{CLASS}
    def move_name(self, move):
        return "→" * move
    def __str__(self):
        return "■" * self.left + "."
"""

pytestmark = pytest.mark.skipif(not os.path.exists(FULL), reason="there is no /dev/full")  # noqa: PTH110


def shell(line, *words, folder=None, **variables):
    """What ``sh`` returns and prints for a line in which ``"$@"`` stands for ``ramify`` and these words."""
    return subprocess.run(
        ["sh", "-c", line, "sh", sys.executable, "-m", "ramify", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        env=processes.environment(**variables),
        timeout=100,
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ('"$@" > /dev/full', 2, NO_SPACE),
        ('"$@" >&-', 2, CLOSED),
        ('"$@" > /dev/full 2> /dev/full', 2, ""),
        ('"$@" >&- 2>&- <&-', 2, ""),
        ('"$@" 2>&-', 0, ""),
        ('"$@" | true', 0, ""),
    ],
)
@pytest.mark.parametrize("words", [["--version"], ["games", "nim"]])
def test_output_that_cannot_be_written(line, code, message, words):
    ended = shell(line, *words)
    assert (ended.returncode, ended.stderr) == (code, message)
    assert bool(ended.stdout) == line.endswith(" 2>&-")


@pytest.mark.alone
def test_games_stay_stored_if_nothing_can_be_written(tmp_path):
    words = ("match", "nim", "uct", "uct", "--games", "4", "--simulations", "20", "--run", "run.db", "--seed", "1")
    ended = shell('"$@" > /dev/full', *words, folder=tmp_path)
    assert (ended.returncode, ended.stderr.splitlines()[-1] + "\n") == (2, NO_SPACE)
    ended = shell('"$@" 2> /dev/full', *words, folder=tmp_path)  # there is nothing left to play
    assert ended.returncode == 0
    assert "speed" not in ended.stdout
    assert "games     4 " in ended.stdout


def test_a_terminal_without_the_characters(tmp_path):
    (tmp_path / "arrows.py").write_text(ARROWS, encoding="utf-8")
    ended = shell('"$@"', "search", "./arrows.py", "--simulations", "20", folder=tmp_path, **ASCII)
    assert ended.returncode == 0
    assert ended.stderr in ("", "compiling; this is done once and kept on disk ...\n")
    assert ended.stdout.startswith("????????????.\n")
    assert "line        ??" in ended.stdout or "line        ? " in ended.stdout


def test_words_that_are_no_text():
    ended = shell('"$@" "$(printf "m\\377.py")"', "search")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == r"ramify: 'm\udcff.py' is not text in utf-8: set LC_ALL=C.UTF-8, or rename the file" + "\n"


def test_input_that_is_no_text():
    ended = shell('printf "\\377\\nquit\\n" | "$@"', "play", "nim", "--simulations", "20")
    assert (ended.returncode, "bye" in ended.stdout) == (0, True)
    assert "Unicode" not in ended.stderr


@pytest.mark.parametrize("megabytes", [100, 400, 767])
def test_too_little_memory_to_start(megabytes):
    ended = shell(f'ulimit -v {megabytes << 10}; "$@"', "search", "nim", "--simulations", "20")
    sentence = f"ramify: the memory limit of {megabytes} MB is too small: set ulimit -v to at least 786432\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", sentence)


@pytest.mark.stress
def test_too_little_memory_for_a_search():
    ended = shell('ulimit -v 800000; "$@"', "search", "hex(size=11)", "--simulations", "100000000")
    sentence = "ramify: out of memory: raise the limit of 781 MB (ulimit -v), or use a smaller budget"
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[-1] == f"{sentence} or --memory MEGABYTES"
