"""``ramify`` and ``python -m ramify``: Ctrl-C is one sentence from the first import on."""

import sys


def run() -> None:
    """Run the command line."""
    try:
        from ramify.cli.main import run as run_command  # noqa: PLC0415  (typer takes a while)
    except KeyboardInterrupt:
        print("ramify: interrupted", file=sys.stderr)  # noqa: T201
        sys.exit(130)
    run_command()


if __name__ == "__main__":
    run()
