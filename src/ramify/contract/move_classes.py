"""The number of a game's move classes, for tables with one entry per class."""

from ramify.contract.interfaces.game_rules import GameRules
from ramify.errors import RamifyError

MAX_CLASSES = 1 << 20


def table_classes(game: GameRules) -> int:
    """Return the number of a game's move classes. Raise RamifyError if a table would be too large."""
    classes = game.move_classes()
    if classes > MAX_CLASSES:
        raise RamifyError(
            f"{game.name} declares {classes} move classes; the maximum is {MAX_CLASSES}:"
            " number them more densely (move_class)"
        )
    return classes


def class_out_of_range(game: GameRules, move: int) -> RamifyError:
    return RamifyError(
        f"move {move} of {game.name} has a class that is not below {game.move_classes()}:"
        " declare the number of classes with MOVE_CLASSES"
    )
