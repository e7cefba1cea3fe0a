"""What strategies that learn about moves are told: classes of moves, who made them, and how large a margin can be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ramify.contract.checking.call_timeout import violation_from_error
from ramify.contract.checking.probes.compiled_probe import CompiledProbe
from ramify.contract.checking.probes.record_probe import PlainProbe, check_integer
from ramify.contract.checking.random_plays import Play, difference
from ramify.contract.checking.result import ContractViolation, FindingLog
from ramify.contract.compiled_game import CompiledGame
from ramify.errors import RamifyError

MAX_CLASSES = 1 << 20
UNWRITTEN = 99  # what a buffer of owners holds before it is filled


def check_declared(game: CompiledGame, notes: FindingLog) -> None:
    """Note numbers of classes and bounds of margins that are none."""
    with notes.catching():
        classes_of(game)
    with notes.catching():
        margins_of(game)


def classes_of(game: CompiledGame) -> int:
    """How many move classes a game says it has."""
    name = "move_classes" if hasattr(game.module, "move_classes") else "MOVE_CLASSES"
    try:
        classes = game.move_classes()
    except RamifyError as error:
        raise ContractViolation("constant", str(error)) from None
    except Exception as error:  # noqa: BLE001  (whatever an author's code may raise)
        raise violation_from_error(name, error, str(game.module.__file__)) from None
    if classes > MAX_CLASSES:
        raise ContractViolation("constant", f"{name} is {classes}; it must be a whole number from 1 to {MAX_CLASSES}")
    return classes


def margins_of(game: CompiledGame) -> tuple[float, float] | None:
    """The lowest and highest margin that a game announces; None where it does not."""
    name = next((name for name in ("margins", "MARGINS") if hasattr(game.module, name)), None)
    if name is None:
        return None
    if not hasattr(game.module, "margin"):
        raise ContractViolation("margins", f"the file has {name}, but no margin(rules, state) that it could bound")
    try:
        said = game.module.margins(game.rules) if name == "margins" else game.module.MARGINS
        low, high = (float(one) for one in said)
    except Exception as error:  # noqa: BLE001  (whatever an author's code may raise)
        raise ContractViolation(
            "margins", f"{name} must give the lowest and the highest margin, two numbers: {error}"
        ) from None
    if not -math.inf < low <= high < math.inf:
        raise ContractViolation(
            "margins", f"{name} says {low:g} and {high:g}; it must give the lowest margin, then the highest"
        )
    return low, high


def within(game: CompiledGame, margin: float) -> None:
    """Refuse a margin outside of what the game announces."""
    bounds = margins_of(game)
    if bounds and not bounds[0] <= margin <= bounds[1]:
        raise ContractViolation(
            "margins", f"margin is {margin:g}, but the game says from {bounds[0]:g} to {bounds[1]:g} (MARGINS)"
        )


def ask_plain(book: PlainProbe, notes: FindingLog, plays: list[Play]) -> None:
    """Ask for the classes of all moves of the plays, and for the owners along them; the answers are kept."""
    module = book.module
    says = any(hasattr(module, name) for name in ("MOVE_CLASSES", "move_classes", "move_class"))
    if not says and not hasattr(module, "owners"):
        return
    classes = classes_of(book.game)
    for play in plays:
        made: dict[int, int] = {}
        for ply, step in enumerate(play.steps):
            with notes.catching(play.at(ply)):
                turn = step.look.mover is not None and step.look.mover >= 0
                if turn:
                    step.extra["classes"] = [class_of(book, step.data, move, classes) for move in step.look.moves[0]]
                    notes.counts["move classes"] += len(step.extra["classes"])
                if hasattr(module, "owners"):
                    step.extra["owners"] = owners(book, step.data, classes)
                    check_owners(step.extra["owners"], made)
                    if "playout" in step.extra:
                        plies, last, _ = step.extra["playout"]
                        check_owners_after_playout(step.extra["owners"], owners(book, last, classes), plies)
                if turn and step.chosen:
                    made_now = step.extra["classes"][step.look.moves[0].index(step.chosen[0])]
                    if hasattr(module, "owners") and made_now in made:
                        raise ContractViolation(
                            "owners",
                            f"the game has owners, but a move of class {made_now} was made twice in a play; owners are"
                            " for games where a move can be made only once",
                        )
                    made[made_now] = int(step.look.mover or 0)


def class_of(book: PlainProbe, data: Any, move: int, classes: int) -> int:
    """The class of a move; a Flaw where it is not one of the numbers that the game announces."""
    if not hasattr(book.module, "move_class"):
        kind, told = move, f"the move {move} is"
    else:
        kind = check_integer("move_class", book.ask("move_class", data, move))
        told = f"move_class gives the move {move} the class {kind}, which is"
    if not 0 <= kind < classes:
        raise ContractViolation("move-class", f"{told} not below the {classes} move classes of the game (MOVE_CLASSES)")
    return kind


def owners(book: PlainProbe, data: Any, classes: int) -> list[int]:
    """Who made each move, as the game shows it."""
    out = np.full(classes, UNWRITTEN, np.int8)
    book.ask("owners", data, out)
    found: list[int] = out.tolist()
    for kind, owner in enumerate(found):
        if owner == UNWRITTEN:
            raise ContractViolation("owners", f"owners writes nothing to out[{kind}]; it must write -1 for nobody")
        if not -1 <= owner < book.players:
            raise ContractViolation(
                "owners", f"owners writes {owner} to out[{kind}]; it must be a player, or -1 for nobody"
            )
    return found


def check_owners(found: Sequence[int], made: dict[int, int]) -> None:
    """Refuse owners who did not make what they are said to have made."""
    for kind, owner in enumerate(found):
        if owner != made.get(kind, -1):
            raise ContractViolation(
                "owners",
                f"owners says that {player_text(owner)} made move {kind}, but in this play {player_text(made.get(kind, -1))} did",
            )


def check_owners_after_playout(before: Sequence[int], after: Sequence[int], plies: int) -> None:
    """Refuse a playout that changes who made earlier moves, or shows another number of moves than it made."""
    for kind, (one, other) in enumerate(zip(before, after, strict=True)):
        if one not in (-1, other):
            raise ContractViolation(
                "owners",
                f"move {kind} was made by {player_text(one)}; after playout, owners says by {player_text(other)}",
            )
    new = sum(owner >= 0 for owner in after) - sum(owner >= 0 for owner in before)
    if new != plies:
        raise ContractViolation(
            "owners", f"playout made {plies} moves, but after it owners shows {new} that were not made before"
        )


def player_text(owner: int) -> str:
    """A player, or nobody."""
    return "nobody" if owner < 0 else f"player {owner}"


class CompiledLearningParts:
    """The compiled functions, asked the same."""

    def __init__(self, book: CompiledProbe) -> None:
        self.book = book
        has = book.game.binding.has
        self.kinds = book.buffer(np.dtype(np.int64), book.game.max_children if has("move_class") else 0)
        self.out = book.buffer(np.dtype(np.int8), book.game.move_classes() if has("owners") else 0)

    def ask(self, notes: FindingLog, play: Play) -> None:
        """Note where they differ along a play."""
        for ply, step in enumerate(play.steps):
            with notes.catching(play.at(ply)):
                if "classes" in step.extra and len(self.kinds):
                    count = len(step.look.moves[0])
                    self.book.moves[:count] = step.look.moves[0]
                    self.book.ask("move_class", step.data, self.book.moves, count, self.kinds)
                    same("move_class", step.extra["classes"], self.kinds[:count].tolist())
                if "owners" in step.extra:
                    self.book.ask("owners", step.data, self.out)
                    same("owners", step.extra["owners"], self.out.tolist())


def same(name: str, first: list[int], second: list[int]) -> None:
    """Refuse another answer."""
    for one, other in zip(first, second, strict=True):
        if one != other:
            raise difference(name, f"gives {other}", str(one), compiled=True)
