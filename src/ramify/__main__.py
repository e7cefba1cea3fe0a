"""``python -m ramify``."""

from ramify.cli.main import run

run()
