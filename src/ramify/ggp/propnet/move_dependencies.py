"""Arrays of ``move_programs.MOVE_PROGRAMS``: a game's move-dependent gates, and the programs of an evaluator."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.core.kernels.pointers import address
from ramify.ggp.propnet.move_programs import MOVE_PROGRAMS, steps_of, without_moves
from ramify.ggp.propnet.propnet import Propnet

Integers = npt.NDArray[np.int64]

SAMPLE_PROGRAMS = 4  # programs built to estimate their length
MAX_PROGRAMS = 1 << 15  # cached joint moves
PROGRAM_CAPACITY = 1 << 21  # integers of storage; more if a single program may need it


class MoveDependencies:
    """Gates that depend on moves, and the fan-out of moves and of these gates."""

    def __init__(
        self, propnet: Propnet, by_moves: npt.NDArray[np.bool_], rewired: Callable[[Integers], Integers], known: int
    ) -> None:
        first, first_move = propnet.first_gate, 1 + len(propnet.bases)
        self.bounds = np.cumsum([0, *map(len, propnet.moves)])
        self.known, self.moves, self.roles = known, first - first_move, len(propnet.roles)
        dependent = np.flatnonzero(by_moves[first:])
        numbers = np.zeros(first + len(propnet.gates), np.int64)
        numbers[first_move:first] = known + np.arange(self.moves)
        numbers[first + dependent] = known + self.moves + np.arange(len(dependent))

        def literals(of_propnet: Integers) -> npt.NDArray[np.int32]:
            moved = 2 * numbers[of_propnet >> 1] + (of_propnet & 1)
            found: npt.NDArray[np.int32] = np.where(by_moves[of_propnet >> 1], moved, rewired(of_propnet)).astype(
                np.int32
            )
            return found

        self.inputs = literals(propnet.gates[dependent].astype(np.int64))
        following = propnet.next.astype(np.int64)
        self.places = np.flatnonzero(by_moves[following >> 1]).astype(np.int32)
        self.literals = literals(following[self.places])
        self._reach()
        self._without_moves()

    def _reach(self) -> None:
        sources = (self.inputs.astype(np.int64) >> 1) - self.known
        gate = np.repeat(np.arange(len(self.inputs)), 2).reshape(-1, 2)
        reaching = sources >= 0
        order = np.argsort(sources[reaching], kind="stable")
        self.fans = gate[reaching][order].astype(np.int32)
        ends = np.searchsorted(sources[reaching][order], np.arange(self.moves + len(self.inputs) + 1))
        self.fan_starts = ends.astype(np.int32)

    def _without_moves(self) -> None:
        """Compute what each gate is when no move is made."""
        count = len(self.inputs)
        self.plain, self.plain_steps = np.zeros(0, np.int32), 0
        self.steps = np.zeros((2 * count + 1, 2), np.int32)
        self.meanings = np.zeros(self.moves + count, np.int32)
        record = self.record()
        record["meanings"], record["steps"] = address(self.meanings), address(self.steps)
        self.plain_steps = int(without_moves(address(record)))
        self.plain = self.meanings[self.moves :].copy()

    def mean_steps(self) -> float:
        """Return the mean number of steps of the programs of a few random joint moves."""
        if not len(self.inputs):
            return 0.0
        programs, random = MovePrograms(self), np.random.default_rng(1)
        counts = []
        for _ in range(SAMPLE_PROGRAMS):
            joint = np.array([random.integers(low, high) for low, high in pairwise(self.bounds)], np.int64)
            counts.append(int(steps_of(address(programs.record), joint)))
        return float(np.mean(counts))

    def record(self) -> npt.NDArray[np.void]:
        """Return a record with the fields that all evaluators share."""
        record = np.zeros(1, MOVE_PROGRAMS)
        for name in ("known", "moves", "roles", "plain_steps"):
            record[name] = getattr(self, name)
        for name in ("inputs", "fan_starts", "fans", "places", "literals", "plain"):
            record[name] = address(getattr(self, name))
        record["gates"], record["bits"], record["fan_count"] = len(self.inputs), len(self.places), len(self.fans)
        return record


class MovePrograms:
    """An evaluator's cache of move programs."""

    def __init__(self, dependencies: MoveDependencies) -> None:
        count = len(dependencies.inputs)
        self.longest = 2 * count  # steps of a program
        program_size = dependencies.roles + 2 + 2 * len(dependencies.places) + 2 * self.longest
        self.arrays: dict[str, npt.NDArray[Any]] = {
            "meanings": dependencies.meanings.copy(),
            "steps": dependencies.steps.copy(),
            "reached": np.zeros(count + 1, np.int32),
            "seen": np.zeros(count + 1, np.uint8),
            "used": np.zeros(self.longest + 1, np.int32),
            "numbers": np.zeros(self.longest + 1, np.int32),
            "table": np.zeros(MAX_PROGRAMS, np.int32),
            "storage": np.zeros(max(PROGRAM_CAPACITY, 2 * program_size), np.int32),
        }
        self.dependencies = dependencies
        self.record = dependencies.record()
        for name, array in self.arrays.items():
            self.record[name] = address(array)
        self.record["table_size"], self.record["storage_size"] = MAX_PROGRAMS, len(self.arrays["storage"])
        self.record["free_at"] = 1
