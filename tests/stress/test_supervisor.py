"""Ctrl-C, clocks and Ctrl-Z with a user's game that never ends in compiled code, in every command that searches."""

import os
import signal
import subprocess
import time

import psutil
import pytest

from tests import processes
from tests.cli.test_supervisor import TOY

GAME = f"{TOY}(fault=2)"
BUDGET = ("--simulations", "20000")
START_SECONDS = 5.0  # until a command is in the endless loop
PATIENCE = 300
COMMANDS = [
    ("search", GAME, *BUDGET),
    ("search", GAME, *BUDGET, "--threads", "2"),
    ("match", GAME, "uct", "uct(c=1)", *BUDGET, "--workers", "0"),
    ("match", GAME, "uct", "uct(c=1)", *BUDGET, "--workers", "2"),
    ("match", GAME, "uct", "uct(c=1)", *BUDGET),
    ("tournament", "--game", GAME, "--agent", "uct", "--agent", "uct(c=1)", *BUDGET),
    ("scale", GAME, "uct", *BUDGET),
    ("tune", GAME, "uct(c=0.1..2.0)", "--against", "uct", *BUDGET),
    ("play", GAME, "--seat", "0", *BUDGET),
    ("check-game", GAME, "--games", "5000"),
]

pytestmark = [pytest.mark.stress, pytest.mark.alone, pytest.mark.usefixtures("ctrl_c")]


def start(*words):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "env": processes.environment()}
    return processes.running("-m", "ramify", *words, **pipes)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("to_group", [True, False], ids=["as a terminal", "as kill"])
def test_ctrl_c(words, to_group):
    with start(*words) as process:
        time.sleep(START_SECONDS)
        family = psutil.Process(process.pid).children(recursive=True)
        (os.killpg if to_group else os.kill)(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130, out
        assert "Traceback" not in out
        assert not psutil.wait_procs(family, timeout=5)[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("search", GAME, "--seconds", "2"), "did not return within 10 s after its time was up"),
        (("play", GAME, "--seat", "0", "--clock", "10"), "did not return within 10 s after its time was up"),
        (("match", GAME, "uct", "uct(c=1)", "--seconds", "0.2", "--workers", "2"), "2 workers died at game"),
    ],
)
def test_clocks(words, sentence):
    with start(*words) as process:
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2, out
    assert sentence in out


def test_time_in_which_a_search_is_stopped_does_not_count():
    with start("search", str(TOY), "--seconds", "4") as process:
        time.sleep(3)
        os.killpg(process.pid, signal.SIGSTOP)
        time.sleep(16)
        os.killpg(process.pid, signal.SIGCONT)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, out
    assert "best move" in out
