"""Runs a program until it ends or its lifeline is cut, and then ends all that it has started.

Run as a program of its own, ``minder.py LIFELINE WORD ...``, without Ramify and as the leader of a process group. Our
process holds the other end of the lifeline, a socket, which closes however our process ends, by SIGKILL as well. What
became of the program goes back through it: ``code N`` (-9: by signal 9) or ``cannot be started: ...``.
"""

import _thread
import os
import signal
import sys


def main() -> None:
    """Mind the program."""
    lifeline, words = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(lifeline, False)
    try:
        program = os.posix_spawnp(words[0], words, os.environ)
    except (OSError, ValueError) as error:
        os.write(lifeline, f"cannot be started: {str(getattr(error, 'strerror', None) or error).lower()}".encode())
        end_all()
        return
    _thread.start_new_thread(report_exit, (lifeline, program))
    while os.read(lifeline, 64):  # nothing is sent: it ends when it is cut
        pass
    end_all()


def report_exit(lifeline: int, program: int) -> None:
    """Wait until the program has ended, and say how."""
    _, status = os.waitpid(program, 0)
    try:
        os.write(lifeline, f"code {os.waitstatus_to_exitcode(status)}".encode())
    finally:
        end_all()


def end_all() -> None:
    """End the whole group, this process too."""
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main()
