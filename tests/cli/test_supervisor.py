"""Users' code that crashes or never ends: the command runs in a child process and ends with a sentence."""

import json
import os
import pty
import signal
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from ramify.cli.users_code import users_code
from tests import processes
from tests.cli.count_class import class_in_trouble

TOY = Path(__file__).parents[1] / "toys" / "late.py"
PATIENCE = 60  # seconds; only a hang takes so long

# For a class whose 3000th move does something that Python does not survive.
TOOLS = """
import os
import numba

@numba.njit
def forever(number):  # called from Python, so no other thread gets the GIL
    while number:
        number = 3 - number
    return number

forever(0)
"""

# The command line, with other seconds of patience.
PROGRAM = """
import sys
from ramify import time_limits
time_limits.OVERRUN_SECONDS = {overrun}
from ramify.cli import supervisor
supervisor.GRACE_SECONDS = {grace}
from ramify.__main__ import run
run()
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "late.py").symlink_to(TOY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@contextmanager
def running(*words, grace=5.0, overrun=10.0, **streams):
    program = PROGRAM.format(grace=grace, overrun=overrun)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()} | streams
    with processes.running("-c", program, *words, **pipes) as process:
        yield process


def ended(*words, **options):
    """Exit code and messages of a command that prints no result."""
    with running(*words, **options) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert out == ""
    return process.returncode, err.replace("compiling; this is done once and kept on disk ...\n", "")


def child_of(process):
    """The child of a supervisor, once it has got into trouble."""
    while not Path("trouble").exists():
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.1)
    return psutil.Process(process.pid).children()[0]


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("search connect4 --simulations 5", []),
        ("search ./mine.py", ["./mine.py"]),
        ("search ./mine.py(size=3) --agent mcts(select=rules/a.py:rule(c=1),playout=./b.py)",
         ["./mine.py", "rules/a.py:rule", "./b.py"]),
        ("match ~/a.py uct uct", ["~/a.py"]),
        ("check-policy ./mine.py:rule(c=1)", ["./mine.py:rule"]),
        ("search ./a.python", []),
        ("tournament no.toml", []),
        ("tournament games.toml", ["./g.py"]),
        ("tournament --game hex --agent uct", []),
        ("tournament /dev/fd/9", ["a file that is named there"]),
        ("replay match.db 3", ["a file that is named there"]),
    ],
)  # fmt: skip
def test_the_users_files_of_a_command_line(line, files, tmp_path, monkeypatch):
    (tmp_path / "games.toml").write_text('games = ["./g.py", "hex"]\n')
    monkeypatch.chdir(tmp_path)
    assert users_code(line.split(" ")) == files


@pytest.mark.alone
@pytest.mark.usefixtures("folder")
def test_a_game_that_writes_to_memory_of_others():
    code, message = ended("search", "./late.py(fault=1)", "--simulations", "100000", "--seed", "0")
    assert code == 2
    assert message == (
        "ramify: ./late.py crashed (SIGSEGV), probably because it reads or writes beyond the end of an array;"
        " for details run `ramify check-game ./late.py`\n"
    )


@pytest.mark.alone
def test_other_ends_of_a_child(folder):
    (folder / "class.py").write_text(class_in_trouble("os.abort()", TOOLS))
    code, message = ended("match", "./class.py", "uct", "uct", "--simulations", "900", "--workers", "0")
    assert code == 2
    assert message.splitlines()[-1] == (
        "ramify: ./class.py crashed (SIGABRT), probably because it writes beyond the end of an array;"
        " for details run `ramify check-game ./class.py`"
    )
    (folder / "class.py").write_text(class_in_trouble("os.kill(os.getpid(), 9)", TOOLS))
    assert ended("search", "./class.py", "--simulations", "900") == (
        2,
        "ramify: ./class.py was killed (SIGKILL), probably out of memory: use a smaller budget or --memory MEGABYTES\n",
    )
    (folder / "class.py").write_text(class_in_trouble("os._exit(0)", TOOLS))
    assert ended("search", "./class.py", "--simulations", "900") == (
        2,
        "ramify: ./class.py ended the process with exit code 0\n",
    )


@pytest.mark.alone
@pytest.mark.usefixtures("folder")
def test_a_search_that_never_ends_is_ended_by_its_clock():
    code, message = ended("search", "./late.py(fault=2)", "--seconds", "0.3", "--seed", "0", overrun=0.5)
    assert code == 2
    assert message == (
        "ramify: ./late.py did not return within 0.5 s after its time was up, so it was killed:"
        " it probably has an endless loop; for details run `ramify check-game ./late.py`\n"
    )


@pytest.mark.alone
@pytest.mark.usefixtures("folder")
def test_a_precheck_that_never_ends_is_ended():
    Path("endless_playout.py").write_text((TOY.parent / "endless_playout.py").read_text())
    code, message = ended("search", "./endless_playout.py", "--simulations", "10", overrun=0.5)
    assert code == 2
    assert "./endless_playout.py did not return within 0.5 s after its time was up" in message


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_compiled_code_and_leaves_the_terminal_in_order(folder):
    (folder / "class.py").write_text(class_in_trouble("forever(1)", TOOLS))
    screen, theirs = pty.openpty()
    words = ("match", "./class.py", "uct", "uct", "--simulations", "900", "--workers", "0")
    with os.fdopen(screen, "rb", buffering=0), running(*words, grace=0.5, stdin=theirs, stderr=theirs) as process:
        os.close(theirs)
        child_of(process)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        shown = os.read(screen, 10000).decode()
    message = "ramify: interrupted; ./class.py did not stop within 0.5 s, so it was killed\r\n"
    assert shown.endswith(f"\x1b[?25h{message}")  # the cursor is shown again


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_a_second_ctrl_c_kills_at_once_and_a_duplicate_is_none(folder):
    (folder / "class.py").write_text(class_in_trouble("forever(1)", TOOLS))
    with running("search", "./class.py", "--simulations", "100000") as process:
        child_of(process)
        for _ in range(2):  # as `timeout` sends them
            process.send_signal(signal.SIGINT)
            time.sleep(0.01)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err.endswith("ramify: interrupted\n")
    assert "killed" not in err


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("to_group", [True, False])
def test_one_ctrl_c_still_prints_the_result_so_far(folder, to_group):
    (folder / "class.py").write_text(class_in_trouble("pass", TOOLS))
    with running("search", "./class.py", "--seconds", "1000", "--json") as process:
        child_of(process)
        (os.killpg if to_group else os.kill)(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert json.loads(out)["stopped"] == "cancelled"
    assert err.count("interrupted") == 1


@pytest.mark.alone
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_child_ends_with_its_supervisor(folder, number):
    """Even if it never gives way to another thread."""
    (folder / "class.py").write_text(class_in_trouble("forever(1)", TOOLS))
    with running("search", "./class.py", "--simulations", "100000") as process:
        child = child_of(process)
        process.send_signal(number)
        assert process.wait(PATIENCE) == -number
        child.wait(5)


@pytest.mark.alone
@pytest.mark.usefixtures("folder")
def test_exit_codes_and_streams_pass_through():
    with running("play", "./late.py", "--simulations", "20", stdin=subprocess.PIPE) as process:
        out, err = process.communicate("0\nquit\n", timeout=PATIENCE)
    assert (process.returncode, out.count("player 1> "), err) == (0, 2, "")
    assert ended("search", "./late.py(no=1)", "--simulations", "5")[0] == 2
