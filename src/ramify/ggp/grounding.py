"""Grounding: turns clauses into rules without variables, within limits of time and memory."""

from __future__ import annotations

import importlib.util
import math
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.errors import RamifyError
from ramify.ggp.clingo.clause_splitting import split
from ramify.ggp.clingo.clingo_input import OUTPUT_RELATIONS, Vocabulary, program, read_symbol
from ramify.ggp.clingo.magic_sets import on_demand
from ramify.ggp.kif import Term, write
from ramify.ggp.rules import Rulesheet

Integers = npt.NDArray[np.int32]

TOO_MANY = 3  # exit code of the grounder: more rules than allowed
MAX_UNSPLIT_RULES = 400_000  # ground rules; beyond it large clauses are split
UNSPLIT_TIME_SHARE = 0.3  # share of the time limits for the attempt without splitting


@dataclass(frozen=True)
class GroundingLimits:
    """Limits of grounding."""

    seconds: float | None = None  # wall time; None: limit only CPU time, whatever the load
    megabytes: int = 3000
    rules: int = 4_000_000
    processor_seconds: float = 25.0

    def __str__(self) -> str:
        clock = "" if self.seconds is None else f"{self.seconds:g} s, "
        return f"{clock}{self.processor_seconds:g} s of CPU time, {self.megabytes} MB and {self.rules} ground rules"


class NoPropnetError(RamifyError):
    """The rules can be played, but have no propnet."""


class TooLargeError(NoPropnetError):
    """The rules cannot be grounded within the limits, or need too many gates."""


@dataclass(frozen=True)
class GroundRules:
    """Ground rules: ``heads[k]`` holds if all of ``bodies[ends[k-1]:ends[k]]`` do; a negative number is a negation.

    ``named`` lists the atoms of each of GDL's relations: number, whether it always holds, arguments.
    """

    heads: Integers
    ends: npt.NDArray[np.int64]
    bodies: Integers
    free: Integers  # atoms that only list possible values; treated as true
    named: dict[str, list[tuple[int, bool, tuple[Term, ...]]]]


def ground(rules: Rulesheet, limits: GroundingLimits | None = None) -> GroundRules:
    """Ground the rules: as they are, else with large clauses split, else also with magic sets.

    Raise TooLargeError if none of these stays within the limits.
    """
    limits = limits or GroundingLimits()
    if importlib.util.find_spec("clingo") is None:
        raise RamifyError('grounding GDL needs clingo: pip install "ramify[gdl]"')
    began = monotonic()
    first = replace(
        limits,
        seconds=None if limits.seconds is None else limits.seconds * UNSPLIT_TIME_SHARE,
        rules=min(MAX_UNSPLIT_RULES, limits.rules),
        processor_seconds=limits.processor_seconds * UNSPLIT_TIME_SHARE,
    )
    whole = _attempt(rules.clauses, rules, first)
    if whole is not None:
        return whole
    for clauses in (rules.clauses, on_demand(rules.clauses)):
        left = None if limits.seconds is None else limits.seconds - (monotonic() - began)
        parts = _attempt(tuple(split(tuple(clauses))), rules, replace(limits, seconds=left))
        if parts is not None:
            return parts
    raise TooLargeError(f"{rules.name} is too large to ground within {limits}")


def _attempt(clauses: Any, rules: Rulesheet, limits: GroundingLimits) -> GroundRules | None:
    vocabulary = Vocabulary()
    text = program(clauses, vocabulary)
    with tempfile.TemporaryDirectory(prefix="ramify_gdl_") as folder:
        target = Path(folder) / "ground.npz"
        numbers = (limits.rules, limits.megabytes, math.ceil(limits.processor_seconds))
        command = [sys.executable, "-m", "ramify.ggp.clingo.clingo_process", str(target), *map(str, numbers)]
        try:
            done = subprocess.run(  # noqa: S603  (our own program)
                command,
                input=text,
                text=True,
                capture_output=True,
                timeout=None if limits.seconds is None else max(limits.seconds, 0.01),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None
        if done.returncode == 0:
            with np.load(target) as found:
                return _read({name: found[name] for name in found.files}, vocabulary.names())
    if done.returncode == TOO_MANY or done.returncode < 0 or "MemoryError" in done.stderr or "bad_alloc" in done.stderr:
        return None
    reason = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
    raise RamifyError(f"cannot ground {rules.name}: {reason[-300:]}")


def _read(found: dict[str, Any], words: list[str]) -> GroundRules:
    named = {}
    for name in OUTPUT_RELATIONS:
        named[name] = sorted(
            (
                (int(atom), bool(fact), tuple(read_symbol(part, words) for part in str(text).split()))
                for atom, fact, text in zip(
                    found[f"{name}_atoms"], found[f"{name}_facts"], found[f"{name}_terms"], strict=True
                )
            ),
            key=lambda one: tuple(map(write, one[2])),
        )
    return GroundRules(found["heads"], found["ends"], found["bodies"], found["free"], named)
