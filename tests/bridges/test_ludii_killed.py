"""A worker that is killed with Java in it does not take the match down."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from tests import processes
from tests.bridges.with_ludii import needs_jar

pytestmark = [needs_jar, pytest.mark.alone]
MATCH = ("match", "ludii:Tic-Tac-Toe", "uct", "uct(c=0.2)", "--games", "40", "--simulations", "200", "--seed", "1")
PATIENCE = 300  # seconds


def with_java(process):
    """The workers of a command that have started Java."""
    found = []
    for child in psutil.Process(process.pid).children(recursive=True):
        maps = Path(f"/proc/{child.pid}/maps")
        if maps.exists() and "libjvm" in maps.read_text(encoding="utf-8"):
            found.append(child.pid)
    return found


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only /proc tells which process has Java")
def test_a_match_survives_the_death_of_java(tmp_path):
    words = ("-m", "ramify", *MATCH, "--workers", "2", "--run", str(tmp_path / "run.db"), "--json")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": processes.environment()}
    with processes.running(*words, **pipes) as process:
        end = time.monotonic() + PATIENCE
        killed = []
        while not killed and process.poll() is None and time.monotonic() < end:
            killed = with_java(process)[:1]
            time.sleep(0.05)
        assert killed, "no worker started Java in time"
        os.kill(killed[0], signal.SIGKILL)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert json.loads(out)["games"] == 40
