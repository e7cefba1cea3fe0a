"""Checks the optional parts along random plays: sample, heuristic, playout, key, quality, ..."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ramify.contract.bind_kernels import WHOLE_PLAYOUTS
from ramify.contract.checking import learning_parts
from ramify.contract.checking.probes.compiled_probe import CompiledProbe
from ramify.contract.checking.probes.probe import PositionFacts
from ramify.contract.checking.probes.record_probe import PlainProbe, check_integer
from ramify.contract.checking.random_plays import ENDLESS_HINT, Play, Step, check_same_position, difference
from ramify.contract.checking.result import ContractViolation, FindingLog
from ramify.core.numbers.rng import generator
from ramify.core.search.tree import SIMULTANEOUS

DRAWING = {  # each part that draws moves, and what its draws are called in reports
    "sample": "samples",
    "heuristic": "heuristics",
    "heuristic_of": "heuristics of each player",
    "script": "scripted moves",
    "published_heuristic": "published moves",
}
OWN_PLAYOUTS = {"playout": "uniform_playout", **{name: name for name in WHOLE_PLAYOUTS}}  # part -> kernel
PLAIN_SAMPLES, PLAIN_PLAYOUTS = 200, 10  # in plain Python, for comparison


def ask_plain(probe: PlainProbe, log: FindingLog, plays: list[Play]) -> None:
    """Call the parts at every position of the plays. Store the answers, to compare the compiled functions with."""
    ended = all(play.ended for play in plays)  # otherwise a playout might not return
    keys: dict[int, PositionFacts] = {}
    for play in plays:
        for ply, step in enumerate(play.steps):
            with log.catching(play.at(ply)):
                ask_step(probe, log, step, ply, playouts=ended)
            if hasattr(probe.module, "key"):
                with log.catching(play.at(ply)):
                    check_key(check_integer("key", probe.ask("key", step.data)), step, keys)


def ask_step(probe: PlainProbe, log: FindingLog, step: Step, ply: int, *, playouts: bool) -> None:
    """Call the parts at one position."""
    module = probe.module
    for name, counted in DRAWING.items():
        if hasattr(module, name) and (asked := call_arguments(name, step)) and log.counts[counted] < PLAIN_SAMPLES:
            step.extra[name] = [probe.draw_move(name, step.data, ply, *whose) for whose, _ in asked]
            log.counts[counted] += len(asked)
            for (move, _), (_, moves) in zip(step.extra[name], asked, strict=True):
                check_legal(name, {move}, moves)
    for name in OWN_PLAYOUTS:
        counted = f"{name.replace('_', ' ')}s"
        if playouts and hasattr(module, name) and not step.facts.over and log.counts[counted] < PLAIN_PLAYOUTS:
            log.counts[counted] += 1
            probe.rng[0] = generator(ply)[0]
            plies, last = probe.change(name, step.data, probe.rng)
            step.extra[name] = (check_integer(name, plies), last, int(probe.rng[0]))
            check_playout_end(name, probe.over(last), plies)
    if hasattr(module, "winning_move") and has_single_mover(step):
        step.extra["winning_move"] = (check_integer("winning_move", probe.ask("winning_move", step.data)), None)
        check_winning_move(probe, step, step.extra["winning_move"][0])
    if hasattr(module, "published_moves") and has_single_mover(step):
        step.extra["published_moves"] = probe.published_moves(step.data, ply)
        check_legal("published_moves", {move for move, _ in step.extra["published_moves"][0]}, step.facts.moves[0])
    if hasattr(module, "evaluate") and not step.facts.over:
        step.extra["evaluate"] = (probe.values(step.data), None)
    for name in ("quality", "margin"):
        if hasattr(module, name) and step.facts.over:
            value = probe.ask(name, step.data)
            if not isinstance(value, float | int | np.floating | np.integer) or not math.isfinite(value):
                raise ContractViolation(name, f"{name} returned {value!r}; it must return a number")
            if name == "margin":
                learning_parts.within(probe.game, float(value))


def check_key(key: int, step: Step, keys: dict[int, PositionFacts]) -> None:
    """Raise if different positions share a key: a search would play illegal moves."""
    if keys.setdefault(key, step.facts) != step.facts:
        raise ContractViolation(
            "key",
            f"key returned {key} for positions that differ in their moves, mover or scores; it must hash everything"
            " that matters",
        )


def check_winning_move(probe: PlainProbe, step: Step, move: int) -> None:
    """Raise unless ``move`` is the first winning move, found by trying all of them."""
    assert step.facts.mover is not None
    first = -1
    for code in step.facts.moves[0]:
        _, after = probe.change("play", step.data, code)
        if probe.over(after) and probe.scores(after)[step.facts.mover] >= 1.0:
            first = code
            break
    if move != first:
        raise ContractViolation(
            "winning_move",
            f"winning_move returned {move}, but the first move that wins at once is {first}; return that, or -1",
        )


def call_arguments(name: str, step: Step) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return (extra arguments, legal moves) for each call of a part that draws moves in this position."""
    if name in ("heuristic_of", "script") and is_simultaneous(step):
        return [((player,), moves) for player, moves in enumerate(step.facts.moves)]
    if name == "heuristic_of":
        return []
    if name == "script" and has_single_mover(step):
        return [((int(step.facts.mover or 0),), step.facts.moves[0])]
    return [((), step.facts.moves[0])] if has_single_mover(step) else []


def check_legal(name: str, drawn: set[int], moves: tuple[int, ...]) -> None:
    """Raise if a drawn move is not legal."""
    if illegal := drawn - set(moves):
        lister = {"heuristic_of": "legal_of", "script": "the game"}.get(name, "legal")
        raise ContractViolation(
            f"{name}-illegal", f"{name} gives {min(illegal)}, which {lister} does not list; it must give legal moves"
        )


def is_simultaneous(step: Step) -> bool:
    return step.facts.mover == SIMULTANEOUS


def has_single_mover(step: Step) -> bool:
    return step.facts.mover is not None and step.facts.mover >= 0


def check_playout_end(name: str, over: bool, plies: int) -> None:
    """Raise unless the playout ended the game and returned its plies."""
    if not over:
        raise ContractViolation(
            "playout-unfinished", f"{name} ended in a position that is not over; it must play to the end"
        )
    if plies < 1:
        raise ContractViolation("playout-plies", f"{name} returned {plies}; it must return the number of moves played")


def ask_compiled(probe: CompiledProbe, log: FindingLog, play: Play) -> None:
    """Call the compiled parts at the same positions, and log differences."""
    for ply, step in enumerate(play.steps):
        with log.catching(play.at(ply)):
            for name in DRAWING:
                for (whose, _), first in zip(call_arguments(name, step), step.extra.get(name, ()), strict=False):
                    same(name, first, probe.draw_move(name, step.data, ply, *whose))
            for name, kernel in OWN_PLAYOUTS.items():
                if name in step.extra:
                    rng = generator(ply)
                    plies, last = probe.playout(kernel, step.data, rng, 0)
                    first = step.extra[name]
                    same(name, (first[0], first[2]), (plies, int(rng[0])))
                    check_same_position(probe, name, first[1], last, compiled=True)
            if "winning_move" in step.extra:
                same("winning_move", step.extra["winning_move"], (probe.ask("winning_move", step.data), None))
            if "published_moves" in step.extra:
                same("published_moves", step.extra["published_moves"], probe.published_moves(step.data, ply))
            if "evaluate" in step.extra:
                same("evaluate", step.extra["evaluate"], (probe.values(step.data), None))


def same(name: str, first: tuple[Any, Any], second: tuple[Any, Any]) -> None:
    """Raise if two answers differ, or if they leave different generator states."""
    if first[0] != second[0]:
        raise difference(name, f"gives {second[0]}", str(first[0]), compiled=True)
    if first[1] != second[1]:
        raise difference(name, "leaves another generator state", "not", compiled=True)


def check_end(probe: CompiledProbe, kernel: str, seed: int, stream: int, plies: int) -> None:
    """Raise if a random game does not end within ``plies``."""
    answer, _ = probe.playout(kernel, probe.start(), generator(seed, stream), plies)
    if answer < 0:
        raise ContractViolation("endless", ENDLESS_HINT.format(plies=plies))
