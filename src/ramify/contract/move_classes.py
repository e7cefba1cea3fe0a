"""How many classes of moves a game has, for tables of all of them."""

from ramify.contract.interfaces.game_rules import GameRules
from ramify.errors import RamifyError

MAX_CLASSES = 1 << 20


def table_classes(game: GameRules) -> int:
    """The number of a game's move classes, if there can be a table of them."""
    classes = game.move_classes()
    if classes > MAX_CLASSES:
        raise RamifyError(
            f"{game.name} says that it has {classes} move classes; statistics are kept for {MAX_CLASSES} at most:"
            " let it number them more densely (move_class)"
        )
    return classes


def class_out_of_range(game: GameRules, move: int) -> RamifyError:
    """What to say where a move has a class that is too large."""
    return RamifyError(
        f"{game.name} has a move {move} whose class is not below {game.move_classes()};"
        " a game says by MOVE_CLASSES how many there are"
    )
