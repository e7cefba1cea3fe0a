"""``ramify`` and ``python -m ramify``: Ctrl-C prints a message, not a traceback, from the first import on."""

import gc

from ramify.cli.interrupts import handle_ctrl_c

GARBAGE_THRESHOLD = 50_000  # objects made between two collections; Python's 700 cost a tenth of a warm start


def run() -> None:
    """Run the command line."""
    handle_ctrl_c()
    gc.set_threshold(GARBAGE_THRESHOLD)
    from ramify.cli.main import run as run_command  # noqa: PLC0415  (typer takes a while)

    run_command()


if __name__ == "__main__":
    run()
