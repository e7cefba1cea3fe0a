"""The same searches and bandits, bit by bit, without the compiler."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ramify.core.kernels.compiling import JIT
from tests.strategies import digests


@pytest.mark.skipif(not JIT, reason="there is nothing compiled to compare with")
def test_compiled_and_plain_python_agree():
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1")
    command = [sys.executable, "-W", "error", str(Path(digests.__file__))]
    plain = subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.splitlines()
    compiled = list(digests.lines())
    assert len(compiled) > 40
    assert compiled == plain
