"""``ramify`` and ``python -m ramify``: Ctrl-C prints a message, not a traceback, from the first import on."""

import gc
import sys

from ramify.cli.interrupts import handle_ctrl_c
from ramify.cli.memory_limit import is_memory_scarce, prepare_scarce_memory
from ramify.cli.streams import open_streams
from ramify.cli.users_code import users_code

GARBAGE_THRESHOLD = 50_000  # objects made between two collections; Python's 700 cost a tenth of a warm start


def run() -> None:
    """Run the command line; in a child process if users' code or too little memory may crash it."""
    handle_ctrl_c()
    open_streams()
    gc.set_threshold(GARBAGE_THRESHOLD)
    files, scarce = users_code(sys.argv[1:]), is_memory_scarce()
    if scarce:
        prepare_scarce_memory()
    if files or scarce:
        from ramify.cli.supervisor import run_in_child  # noqa: PLC0415  (rarely needed)

        run_in_child(files)
    from ramify.cli.main import run as run_command  # noqa: PLC0415  (typer takes a while)

    run_command()


if __name__ == "__main__":
    run()
