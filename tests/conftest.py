"""Settings shared by all tests, and what no test may leave behind."""

import ctypes
import signal
import sys
from contextlib import suppress

import psutil
import pytest
from hypothesis import settings

# The same examples every time, and none timed: a test passes always or never.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")

SECONDS_TO_END = 5.0  # for a process whose driver has just been killed, and which ends by itself
PR_SET_CHILD_SUBREAPER = 36

if sys.platform == "linux":  # elsewhere only children are seen, not what they leave to the system
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def running() -> set[psutil.Process]:
    """Processes that tests have started and that have not ended."""
    found = set()
    for process in psutil.Process().children(recursive=True):
        try:
            if process.status() != psutil.STATUS_ZOMBIE:
                found.add(process)
        except psutil.NoSuchProcess:
            continue
    return found


def command_of(process: psutil.Process) -> str:
    """How a process was called, as far as it can still be asked."""
    try:
        return f"{process.pid}: {' '.join(process.cmdline())}"
    except psutil.Error:
        return str(process.pid)


def leave_no_process():
    """Fail if a process lives that did not live before, and kill it."""
    before = running()
    yield
    _, left = psutil.wait_procs(running() - before, timeout=SECONDS_TO_END)
    commands = [command_of(process) for process in left]
    for process in left:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(left)
    assert not commands, "left running:\n" + "\n".join(commands)


module_leaves_no_process = pytest.fixture(scope="module", autouse=True)(leave_no_process)
session_leaves_no_process = pytest.fixture(scope="session", autouse=True)(leave_no_process)


@pytest.fixture
def ctrl_c():
    """SIGINT interrupts this process and those it starts, even where we were started with SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
