"""Python in another process, where a test needs one that has compiled nothing yet, or that does not compile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import ramify

PACKAGE = Path(ramify.__file__).parent
ROOT = Path(__file__).parent.parent  # of the repository, so that a process can import `tests`


def environment(source: Path = PACKAGE.parent, **variables: str) -> dict[str, str]:
    """Our environment with ``ramify`` imported from ``source``, warnings as errors and the given variables."""
    path = os.pathsep.join([str(source), str(ROOT)])
    return {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "error", **variables}


def start(*arguments: str, source: Path = PACKAGE.parent, **variables: str) -> subprocess.Popen[str]:
    """Start Python with these arguments."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        env=environment(source, **variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def running(*arguments: str, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """Python with these arguments, in a session of its own, which is killed if the block leaves it running."""
    with subprocess.Popen([sys.executable, *arguments], text=True, start_new_session=True, **options) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


def finish(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Wait for a process that must succeed; what it wrote."""
    try:
        out, err = process.communicate(timeout=300)
    except BaseException:
        process.kill()
        raise
    assert process.returncode == 0, f"{process.args}\n{out}\n{err}"
    return out, err


def run(*arguments: str, source: Path = PACKAGE.parent, **variables: str) -> str:
    """What Python prints when it runs with these arguments; it must succeed and write no warning."""
    out, err = finish(start(*arguments, source=source, **variables))
    assert err == "", err
    return out
