"""Functions that only some games have, asked along the plays: sample, heuristic, playout, key, quality, ..."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ramify.contract.checking import learning_parts
from ramify.contract.checking.probes.compiled_probe import CompiledProbe
from ramify.contract.checking.probes.probe import PositionFacts
from ramify.contract.checking.probes.record_probe import PlainProbe, check_integer
from ramify.contract.checking.random_plays import ENDLESS_HINT, Play, Step, differ, difference
from ramify.contract.checking.result import ContractViolation, FindingLog
from ramify.core.numbers.rng import generator
from ramify.core.search.tree import SIMULTANEOUS

DRAWING = {  # what each draws
    "sample": "samples",
    "heuristic": "heuristics",
    "heuristic_of": "heuristics of each player",
    "script": "scripted moves",
    "published_heuristic": "published moves",
}
OWN_PLAYOUTS = {"playout": "uniform_playout", "exact_length_playout": "exact_length_playout"}  # with their kernels
PLAIN_SAMPLES, PLAIN_PLAYOUTS = 200, 10  # in plain Python, to compare


def ask_plain(book: PlainProbe, notes: FindingLog, plays: list[Play]) -> None:
    """Ask at every position of the plays, and keep the answers for the compiled functions to be compared with."""
    ended = all(play.ended for play in plays)  # else it is not yet known whether a playout comes back
    keys: dict[int, PositionFacts] = {}
    for play in plays:
        for ply, step in enumerate(play.steps):
            with notes.catching(play.at(ply)):
                ask_step(book, notes, step, ply, playouts=ended)
            if hasattr(book.module, "key"):
                with notes.catching(play.at(ply)):
                    check_key(check_integer("key", book.ask("key", step.data)), step, keys)


def ask_step(book: PlainProbe, notes: FindingLog, step: Step, ply: int, *, playouts: bool) -> None:
    """Ask at one position."""
    module = book.module
    for name, counted in DRAWING.items():
        if hasattr(module, name) and (asked := call_arguments(name, step)) and notes.counts[counted] < PLAIN_SAMPLES:
            step.extra[name] = [book.drawn(name, step.data, ply, *whose) for whose, _ in asked]
            notes.counts[counted] += len(asked)
            for (move, _), (_, moves) in zip(step.extra[name], asked, strict=True):
                check_legal(name, {move}, moves)
    for name in OWN_PLAYOUTS:
        counted = f"{name.replace('_', ' ')}s"
        if playouts and hasattr(module, name) and not step.look.over and notes.counts[counted] < PLAIN_PLAYOUTS:
            notes.counts[counted] += 1
            book.rng[0] = generator(ply)[0]
            plies, last = book.change(name, step.data, book.rng)
            step.extra[name] = (check_integer(name, plies), last, int(book.rng[0]))
            check_playout_end(name, book.over(last), plies)
    if hasattr(module, "winning_move") and takes_turns(step):
        step.extra["winning_move"] = (check_integer("winning_move", book.ask("winning_move", step.data)), None)
        check_winning(book, step, step.extra["winning_move"][0])
    if hasattr(module, "evaluate") and not step.look.over:
        step.extra["evaluate"] = (book.values(step.data), None)
    for name in ("quality", "margin"):
        if hasattr(module, name) and step.look.over:
            value = book.ask(name, step.data)
            if not isinstance(value, float | int | np.floating | np.integer) or not math.isfinite(value):
                raise ContractViolation(name, f"{name} returned {value!r}; it must return a number")
            if name == "margin":
                learning_parts.within(book.game, float(value))


def check_key(key: int, step: Step, keys: dict[int, PositionFacts]) -> None:
    """Refuse a key that other positions have, too: where they are taken for the same, illegal moves are made."""
    if keys.setdefault(key, step.look) != step.look:
        raise ContractViolation(
            "key",
            f"key gives {key} for positions that differ in their moves, mover or scores; it must hash all of the state"
            " that matters",
        )


def check_winning(book: PlainProbe, step: Step, move: int) -> None:
    """Refuse another answer than trying all moves gives."""
    assert step.look.mover is not None
    first = -1
    for code in step.look.moves[0]:
        _, after = book.change("play", step.data, code)
        if book.over(after) and book.scores(after)[step.look.mover] >= 1.0:
            first = code
            break
    if move != first:
        raise ContractViolation(
            "winning_move",
            f"winning_move gives {move}, and the first move that wins at once is {first}; it must find that, or -1 for none",
        )


def call_arguments(name: str, step: Step) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """How a function that draws moves is called there, beyond rules, state and generator, and what it may draw."""
    if name in ("heuristic_of", "script") and is_simultaneous(step):
        return [((player,), moves) for player, moves in enumerate(step.look.moves)]
    if name == "heuristic_of":
        return []
    if name == "script" and takes_turns(step):
        return [((int(step.look.mover or 0),), step.look.moves[0])]
    return [((), step.look.moves[0])] if takes_turns(step) else []


def check_legal(name: str, drawn: set[int], moves: tuple[int, ...]) -> None:
    """Refuse moves that are not legal."""
    if foreign := drawn - set(moves):
        lister = {"heuristic_of": "legal_of", "script": "the game"}.get(name, "legal")
        raise ContractViolation(
            f"{name}-illegal", f"{name} gave {min(foreign)}, which {lister} does not list; it must draw a legal move"
        )


def is_simultaneous(step: Step) -> bool:
    """Whether everybody moves there."""
    return step.look.mover == SIMULTANEOUS


def takes_turns(step: Step) -> bool:
    """Whether a player moves alone there."""
    return step.look.mover is not None and step.look.mover >= 0


def check_playout_end(name: str, over: bool, plies: int) -> None:
    """Refuse a playout that is none."""
    if not over:
        raise ContractViolation(
            "playout-unfinished", f"{name} ended in a position that is not over; it must play to the end"
        )
    if plies < 1:
        raise ContractViolation("playout-plies", f"{name} returned {plies}; it must return how many moves it played")


def ask_compiled(book: CompiledProbe, notes: FindingLog, play: Play) -> None:
    """Ask the compiled functions the same, and note where they differ."""
    for ply, step in enumerate(play.steps):
        with notes.catching(play.at(ply)):
            for name in DRAWING:
                for (whose, _), first in zip(call_arguments(name, step), step.extra.get(name, ()), strict=False):
                    same(name, first, book.drawn(name, step.data, ply, *whose))
            for name, kernel in OWN_PLAYOUTS.items():
                if name in step.extra:
                    rng = generator(ply)
                    plies, last = book.playout(kernel, step.data, rng, 0)
                    first = step.extra[name]
                    same(name, (first[0], first[2]), (plies, int(rng[0])))
                    differ(book, name, first[1], last, compiled=True)
            if "winning_move" in step.extra:
                same("winning_move", step.extra["winning_move"], (book.ask("winning_move", step.data), None))
            if "evaluate" in step.extra:
                same("evaluate", step.extra["evaluate"], (book.values(step.data), None))


def same(name: str, first: tuple[Any, Any], second: tuple[Any, Any]) -> None:
    """Refuse another answer, or another use of the generator."""
    if first[0] != second[0]:
        raise difference(name, f"gives {second[0]}", str(first[0]), compiled=True)
    if first[1] != second[1]:
        raise difference(name, "leaves the generator otherwise", "not so", compiled=True)


def check_end(book: CompiledProbe, kernel: str, seed: int, stream: int, plies: int) -> None:
    """Refuse a game that goes on and on under random play."""
    answer, _ = book.playout(kernel, book.start(), generator(seed, stream), plies)
    if answer < 0:
        raise ContractViolation("endless", ENDLESS_HINT.format(plies=plies))
