"""``ramify check-game``."""

from ramify.cli.common import GameArgument


def command(game: GameArgument) -> None:
    """Check."""
    print(game)
