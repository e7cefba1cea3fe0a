"""A sample of ``tests/stress/command_lines.py``: mutated command lines end with a sentence and leave files alone."""

import subprocess
import sys

import pytest

from tests.processes import environment


@pytest.mark.alone
def test_mutated_command_lines_end_with_a_sentence(tmp_path):
    words = [sys.executable, "-m", "tests.stress.command_lines", "--first", "60", "--count", "40", "--seed", "31"]
    words += ["--seconds", "5"]
    settings = {"TMPDIR": str(tmp_path), "PYTHONWARNINGS": "default"}
    done = subprocess.run(words, env=environment(**settings), capture_output=True, text=True, timeout=300, check=False)
    assert "40 command lines, 0 wrong" in done.stdout, done.stdout + done.stderr
