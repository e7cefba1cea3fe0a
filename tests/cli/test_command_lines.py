"""A sample of ``tests/stress/command_lines.py``: mutated command lines end with a sentence and leave files alone."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.processes import environment
from tests.stress import command_lines


@pytest.mark.alone
def test_mutated_command_lines_end_with_a_sentence(tmp_path):
    words = [sys.executable, "-m", "tests.stress.command_lines", "--first", "60", "--count", "40", "--seed", "31"]
    words += ["--seconds", "5"]
    settings = {"TMPDIR": str(tmp_path), "PYTHONWARNINGS": "default"}
    done = subprocess.run(words, env=environment(**settings), capture_output=True, text=True, timeout=300, check=False)
    assert "40 command lines, 0 wrong" in done.stdout, done.stdout + done.stderr


@pytest.mark.alone
def test_a_background_job_can_interrupt_its_commands(tmp_path):
    """A shell starts background jobs with SIGINT ignored, which programs that they start inherit."""
    template = tmp_path / "template"
    template.mkdir()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        one = command_lines.start(1, ["ggp-player", "--port", "0"], template, tmp_path, apart=True)
    finally:
        signal.signal(signal.SIGINT, before)
    status = 0
    try:
        out = one.folder.with_suffix(".out")
        while not (out.exists() and "listens" in out.read_text()):
            assert os.waitpid(one.pid, os.WNOHANG) == (0, 0)
            time.sleep(0.05)
        command_lines.stop(one, signal.SIGINT)
        deadline = time.monotonic() + command_lines.GRACE_SECONDS
        while not (done := os.waitpid(one.pid, os.WNOHANG))[0] and time.monotonic() < deadline:
            time.sleep(0.05)
        status = done[1]
    finally:
        command_lines.stop(one, signal.SIGKILL)
    assert os.waitstatus_to_exitcode(status) == 130
