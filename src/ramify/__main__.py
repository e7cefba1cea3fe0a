"""``ramify`` and ``python -m ramify``: Ctrl-C is one sentence from the first imports on."""

from ramify.cli.ctrl_c import handle_ctrl_c


def run() -> None:
    """Run the command line."""
    handle_ctrl_c()
    from ramify.cli.main import run as run_command  # noqa: PLC0415  (typer takes a while)

    run_command()


if __name__ == "__main__":
    run()
