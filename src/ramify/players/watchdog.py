"""Watchdog of an engine: runs it until it exits or the lifeline closes, then kills its process group.

Run as a separate program, ``watchdog.py LIFELINE COMMAND ...``, without Ramify and as a process group leader. Ramify's
process holds the other end of the lifeline, a socket, which closes however that process ends, even by SIGKILL. The
watchdog sends the engine's exit code through it: ``code N`` (-9: signal 9), or ``cannot be started: ...``.
"""

import _thread
import os
import signal
import sys


def main() -> None:
    """Start the engine and wait until the lifeline closes."""
    lifeline, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(lifeline, False)
    try:
        engine = os.posix_spawnp(command[0], command, os.environ)
    except (OSError, ValueError) as error:
        os.write(lifeline, f"cannot be started: {str(getattr(error, 'strerror', None) or error).lower()}".encode())
        end_all()
        return
    _thread.start_new_thread(report_exit, (lifeline, engine))
    while os.read(lifeline, 64):  # nothing is ever sent: read() returns when the other end closes
        pass
    end_all()


def report_exit(lifeline: int, engine: int) -> None:
    """Wait until the engine exits and send its exit code."""
    _, status = os.waitpid(engine, 0)
    try:
        os.write(lifeline, f"code {os.waitstatus_to_exitcode(status)}".encode())
    finally:
        end_all()


def end_all() -> None:
    """Kill the process group, including this process."""
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
