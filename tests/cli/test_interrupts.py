"""Ctrl-C, progress, and what is said about games that are not kept."""

import json
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest

import ramify
from ramify.cli import run_session as sitting_module
from ramify.cli.interrupts import Stage, graceful_interrupt, handle_ctrl_c
from ramify.cli.progress import TerminalLine
from ramify.cli.search import progress_text
from tests import processes
from tests.cli.test_arena_commands import MATCH
from tests.cli.test_arena_commands import ramify as command

PATIENCE = 60  # seconds; only a hang takes so long


def on_terminal(*words, seen, presses=1):
    """What a command writes to its terminal and to a pipe, with Ctrl-C pressed once ``seen`` is on the terminal."""
    terminal, theirs = pty.openpty()
    program = ("-m", "ramify", *words)
    with (
        os.fdopen(terminal, "rb", buffering=0) as screen,
        processes.running(*program, stdout=subprocess.PIPE, stderr=theirs, env=processes.environment()) as process,
    ):
        os.close(theirs)
        patience = threading.Timer(PATIENCE, process.kill)
        patience.start()
        shown = ""
        with suppress(OSError):  # which is how a terminal says that nobody writes to it any more
            while seen not in shown:
                shown += screen.read(1000).decode()
            for _ in range(presses):
                process.send_signal(signal.SIGINT)
                time.sleep(0.01)
            while True:
                shown += screen.read(1000).decode()
        out = process.stdout.read()
        process.wait()
        patience.cancel()
    assert process.returncode == 130, shown
    assert "Traceback" not in shown
    return out, shown


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_an_interrupted_search_prints_what_it_found(threads):
    out, shown = on_terminal(
        "search", "connect4", "--seconds", "1000", "--threads", threads, "--json", seen=" simulations, "
    )
    data = json.loads(out)
    assert data["stopped"] == "cancelled"
    assert data["simulations"] == sum(child["visits"] for child in data["children"]) > 0
    assert data["move"] == data["variation"][0]
    assert "best so far" in shown
    assert "ramify: interrupted; this is the result so far" in shown


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_an_interrupted_search_without_a_terminal():
    words = ("search", "connect4", "--seconds", "1000")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()}
    with processes.running("-m", "ramify", *words, **pipes) as process:
        first = process.stderr.readline()  # of progress, after five seconds
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "simulations" in first
    assert "best move" in out
    assert "stopped by Ctrl-C" in out
    assert "Traceback" not in err


# A module that lets nobody hear of anything, as some do.
DEAF = """
import time
print("begun", flush=True)
try:
    time.sleep(60)
except BaseException:
    pass
"""


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_while_a_module_is_imported(tmp_path):
    (tmp_path / "deaf.py").write_text(DEAF)
    program = (
        f"import sys; sys.path.append({str(tmp_path)!r}); from ramify.cli import interrupts;"
        " interrupts.handle_ctrl_c(); interrupts.Stage.command = True"
    )
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()}
    with processes.running("-c", f"{program}; import deaf; print('lost')", **pipes) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (130, "", "ramify: interrupted\n")


# A command that evaluates something when Ctrl-C comes: Python would end by the signal.
EVALUATING = """
import time
from ramify.cli import main
def fake():
    print("begun", flush=True)
    eval("time.sleep(60)", {"time": time})
main.app.command("fake")(fake)
import sys
sys.argv = ["ramify", "fake"]
main.run()
"""


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_the_exit_code_is_always_the_same():
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()}
    with processes.running("-c", EVALUATING, **pipes) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (130, "", "ramify: interrupted\n")


# The search never comes back: its game does not end. A second Ctrl-C ends it all the same.
ENDLESS = """
import time
from ramify.cli.interrupts import graceful_interrupt
with graceful_interrupt():
    print("begun", flush=True)
    while True:
        time.sleep(0.01)
"""


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_a_second_ctrl_c_ends_at_once():
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()}
    with processes.running("-c", ENDLESS, **pipes) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == "ramify: interrupted\n"


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_one_ctrl_c_that_comes_twice_is_one():
    """As ``timeout -s INT`` sends it: to the process and to its group."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()}
    with processes.running("-c", ENDLESS, **pipes) as process:
        assert process.stdout.readline() == "begun\n"
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.01)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 130


@pytest.mark.usefixtures("ctrl_c")
def test_before_anything_was_searched(monkeypatch):
    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("ramify.contract.load.load", interrupt)
    assert "interrupted before the search began" in command("search", "connect4", code=130).stderr
    assert command("solve", "tictactoe", code=130).stderr == "ramify: interrupted; the position is not solved\n"
    assert command("perft", "tictactoe", "2", code=130).stderr == "ramify: interrupted\n"


@pytest.mark.usefixtures("ctrl_c")
def test_asking_leaves_the_handler_as_it_was():
    before = signal.getsignal(signal.SIGINT)
    with graceful_interrupt() as stop:
        signal.raise_signal(signal.SIGINT)
    assert stop.requested
    assert signal.getsignal(signal.SIGINT) is before
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with graceful_interrupt() as stop:  # a job in the background
        signal.raise_signal(signal.SIGINT)
    assert not stop.requested


@pytest.mark.alone
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_in_a_finalizer_is_not_lost(monkeypatch):
    class Last:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)
            time.sleep(0)

    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    monkeypatch.setattr(Stage, "command", True)
    handle_ctrl_c()

    def wait():
        one = Last()
        del one
        time.sleep(PATIENCE)

    with pytest.raises(KeyboardInterrupt):
        wait()


def test_games_that_are_not_kept(tmp_path, monkeypatch):
    assert "not stored" not in command(*MATCH).stderr  # it takes a moment
    monkeypatch.setattr(sitting_module, "NOTE_SECONDS", -1.0)
    assert command(*MATCH).stderr.count("note: these games are not stored; with --run FILE they are") == 1
    assert "not stored" not in command(*MATCH, "--run", tmp_path / "run.db").stderr


@pytest.mark.parametrize("kept", [True, False])
def test_an_interrupted_match_says_whether_its_games_are_kept(tmp_path, monkeypatch, kept):
    def interrupt(self, driver):
        raise KeyboardInterrupt

    monkeypatch.setattr("ramify.runs.live_display.LineDisplay.__call__", interrupt)
    result = command(*MATCH, *(["--run", tmp_path / "run.db"] if kept else []), code=130)
    assert "interrupted; this is the score so far" in result.stderr
    assert ("these games are not stored" in result.stderr) != kept
    assert "5 games missing" in result.stdout
    assert ("the same command plays them" in result.stdout) == kept


def test_a_line_of_progress():
    search = ramify.Search(ramify.load("tictactoe").initial(), seed=1)
    line = progress_text(ramify.Budget(simulations=2000, seconds=1000))
    assert "best" not in line(search)
    search.run(ramify.Budget(simulations=1000))
    time.sleep(0.01)
    words = line(search)
    assert words.startswith("1,000 simulations, ")
    assert f"best so far {search.report().move} (" in words
    assert words.endswith("0:00 left")


def test_the_last_line_of_a_terminal():
    written = []
    stream = SimpleNamespace(write=written.append, flush=lambda: None)
    line = TerminalLine(stream, str)
    line.erase()
    assert not written
    line("x" * 500)
    line("too soon")
    line.erase()
    text = "".join(written)
    assert text.startswith("\r\x1b[Kxxx")
    assert text.endswith("x\r\x1b[K")
    assert "too soon" not in text
    assert len(text) < 200
