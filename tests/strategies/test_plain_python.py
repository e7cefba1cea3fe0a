"""The same searches and bandits, bit by bit, without the compiler."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("digests.py")


def digests(disabled):
    environment = dict(os.environ, NUMBA_DISABLE_JIT=disabled)
    command = [sys.executable, "-W", "error", str(SCRIPT)]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.splitlines()


def test_compiled_and_plain_python_agree():
    compiled, plain = digests("0"), digests("1")
    assert len(compiled) > 40
    assert compiled == plain
