"""Checks the parts for strategies that learn about moves: move classes, owners and margins."""

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
UNWRITTEN = 99  # marks entries of a buffer that were not written


def check_declared(game: CompiledGame, log: FindingLog) -> None:
    """Log invalid declarations of MOVE_CLASSES and MARGINS."""
    with log.catching():
        classes_of(game)
    with log.catching():
        margins_of(game)


def classes_of(game: CompiledGame) -> int:
    """Return the declared number of move classes, or raise ContractViolation."""
    name = "move_classes" if hasattr(game.module, "move_classes") else "MOVE_CLASSES"
    try:
        classes = game.move_classes()
    except RamifyError as error:
        raise ContractViolation("constant", str(error)) from None
    except Exception as error:  # noqa: BLE001  (author's code may raise anything)
        raise violation_from_error(name, error, str(game.module.__file__)) from None
    if classes > MAX_CLASSES:
        raise ContractViolation("constant", f"{name} is {classes}; it must be a whole number from 1 to {MAX_CLASSES}")
    return classes


def margins_of(game: CompiledGame) -> tuple[float, float] | None:
    """Return the declared lowest and highest margin, or None."""
    name = next((name for name in ("margins", "MARGINS") if hasattr(game.module, name)), None)
    if name is None:
        return None
    if not hasattr(game.module, "margin"):
        raise ContractViolation("margins", f"the file has {name}, but no margin(rules, state)")
    try:
        declared = game.module.margins(game.rules) if name == "margins" else game.module.MARGINS
        low, high = (float(one) for one in declared)
    except Exception as error:  # noqa: BLE001  (author's code may raise anything)
        raise ContractViolation(
            "margins", f"{name} must be the lowest and the highest margin, two numbers: {error}"
        ) from None
    if not -math.inf < low <= high < math.inf:
        raise ContractViolation(
            "margins", f"{name} is {low:g} and {high:g}; it must be the lowest margin, then the highest"
        )
    return low, high


def within(game: CompiledGame, margin: float) -> None:
    """Raise if a margin is outside MARGINS."""
    bounds = margins_of(game)
    if bounds and not bounds[0] <= margin <= bounds[1]:
        raise ContractViolation("margins", f"margin returned {margin:g}, but MARGINS is {bounds[0]:g} to {bounds[1]:g}")


def ask_plain(probe: PlainProbe, log: FindingLog, plays: list[Play]) -> None:
    """Check the move classes and owners along the plays, and store them in ``Step.extra``."""
    module = probe.module
    has_classes = any(hasattr(module, name) for name in ("MOVE_CLASSES", "move_classes", "move_class"))
    if not has_classes and not hasattr(module, "owners"):
        return
    classes = classes_of(probe.game)
    for play in plays:
        made: dict[int, int] = {}
        for ply, step in enumerate(play.steps):
            with log.catching(play.at(ply)):
                turn = step.facts.mover is not None and step.facts.mover >= 0
                if turn:
                    step.extra["classes"] = [class_of(probe, step.data, move, classes) for move in step.facts.moves[0]]
                    log.counts["move classes"] += len(step.extra["classes"])
                if hasattr(module, "owners"):
                    step.extra["owners"] = owners(probe, step.data, classes)
                    check_owners(step.extra["owners"], made)
                    if "playout" in step.extra:
                        plies, last, _ = step.extra["playout"]
                        check_owners_after_playout(step.extra["owners"], owners(probe, last, classes), plies)
                if turn and step.chosen:
                    made_now = step.extra["classes"][step.facts.moves[0].index(step.chosen[0])]
                    if hasattr(module, "owners") and made_now in made:
                        raise ContractViolation(
                            "owners",
                            f"the game has owners, but a move of class {made_now} was made twice in a game; owners is"
                            " for games where a move can be made only once",
                        )
                    made[made_now] = int(step.facts.mover or 0)


def class_of(probe: PlainProbe, data: Any, move: int, classes: int) -> int:
    """Return the class of a move, or raise if it is not below the declared number."""
    if not hasattr(probe.module, "move_class"):
        kind, subject = move, f"move {move} is its own class"
    else:
        kind = check_integer("move_class", probe.ask("move_class", data, move))
        subject = f"move_class returned {kind} for move {move}"
    if not 0 <= kind < classes:
        raise ContractViolation("move-class", f"{subject}; classes must be from 0 to {classes - 1} (MOVE_CLASSES)")
    return kind


def owners(probe: PlainProbe, data: Any, classes: int) -> list[int]:
    """Return the owner of each move class, or raise if one is invalid."""
    out = np.full(classes, UNWRITTEN, np.int8)
    probe.ask("owners", data, out)
    found: list[int] = out.tolist()
    for kind, owner in enumerate(found):
        if owner == UNWRITTEN:
            raise ContractViolation(
                "owners", f"owners writes nothing to out[{kind}]; it must write -1 for a move not made"
            )
        if not -1 <= owner < probe.players:
            raise ContractViolation(
                "owners", f"owners writes {owner} to out[{kind}]; it must write a player, or -1 for a move not made"
            )
    return found


def check_owners(found: Sequence[int], made: dict[int, int]) -> None:
    """Raise unless the owners are the players who made the moves."""
    for kind, owner in enumerate(found):
        if owner != made.get(kind, -1):
            raise ContractViolation(
                "owners",
                f"owners says that {player_text(owner)} made move {kind}, but in this play"
                f" {player_text(made.get(kind, -1))} did",
            )


def check_owners_after_playout(before: Sequence[int], after: Sequence[int], plies: int) -> None:
    """Raise if a playout changed earlier owners, or added another number of moves than it returned."""
    for kind, (one, other) in enumerate(zip(before, after, strict=True)):
        if one not in (-1, other):
            raise ContractViolation(
                "owners",
                f"move {kind} was made by {player_text(one)}; after playout, owners says by {player_text(other)}",
            )
    new = sum(owner >= 0 for owner in after) - sum(owner >= 0 for owner in before)
    if new != plies:
        raise ContractViolation("owners", f"playout made {plies} moves, but afterwards owners has {new} new ones")


def player_text(owner: int) -> str:
    return "nobody" if owner < 0 else f"player {owner}"


class CompiledLearningParts:
    """The same checks for the compiled functions."""

    def __init__(self, probe: CompiledProbe) -> None:
        self.probe = probe
        has = probe.game.binding.has
        self.kinds = probe.buffer(np.dtype(np.int64), probe.game.max_children if has("move_class") else 0)
        self.out = probe.buffer(np.dtype(np.int8), probe.game.move_classes() if has("owners") else 0)

    def ask(self, log: FindingLog, play: Play) -> None:
        """Log where compiled and plain functions differ along a play."""
        for ply, step in enumerate(play.steps):
            with log.catching(play.at(ply)):
                if "classes" in step.extra and len(self.kinds):
                    count = len(step.facts.moves[0])
                    self.probe.moves[:count] = step.facts.moves[0]
                    self.probe.ask("move_class", step.data, self.probe.moves, count, self.kinds)
                    same("move_class", step.extra["classes"], self.kinds[:count].tolist())
                if "owners" in step.extra:
                    self.probe.ask("owners", step.data, self.out)
                    same("owners", step.extra["owners"], self.out.tolist())


def same(name: str, first: list[int], second: list[int]) -> None:
    """Raise if two answers differ."""
    for one, other in zip(first, second, strict=True):
        if one != other:
            raise difference(name, f"gives {other}", str(one), compiled=True)
