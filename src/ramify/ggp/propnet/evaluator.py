"""Arrays of ``event_evaluation.EVALUATOR``: the wiring of a game, built once, and evaluators for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.core.kernels.pointers import address
from ramify.core.playouts.move_counter import rules_record
from ramify.ggp.propnet.event_evaluation import EVALUATOR, GOAL, apply_joint_move_kernel, begin, move_to_state_kernel
from ramify.ggp.propnet.groups import Groups
from ramify.ggp.propnet.levels import connect, levels_of, mark_above, mark_below, part_of
from ramify.ggp.propnet.move_dependencies import MoveDependencies, MovePrograms
from ramify.ggp.propnet.propnet import Propnet
from ramify.ggp.rules import RANDOM

Integers = npt.NDArray[np.int64]

MAX_PROGRAM_STEPS = 4000  # mean length of move programs; above it, events are faster


class Wiring:
    """A propnet prepared for event-driven evaluation; shared by all evaluators of a game."""

    dependencies: MoveDependencies
    known: int  # number of nodes whose values an evaluator keeps up to date
    gates: Integers  # evaluated by events

    def __init__(self, propnet: Propnet, *, by_programs: bool = True) -> None:
        self.propnet = propnet
        self.words = -(-len(propnet.bases) // 64)
        self.chance = propnet.roles.index(RANDOM) if RANDOM in propnet.roles else -1
        self.role_of = np.array([r for r in range(len(propnet.roles)) if r != self.chance], np.int64)
        self.player_of = np.full(len(propnet.roles), -1, np.int64)
        self.player_of[self.role_of] = np.arange(len(self.role_of))
        self.moves = np.cumsum([0, *map(len, propnet.moves)], dtype=np.int64)
        widths = -(-np.diff(self.moves) // 64)
        self.legal_words = self.words + np.cumsum([0, *widths], dtype=np.int64)
        self.last_legal = int(self.legal_words[-1])
        self.guards = 64 * (self.last_legal + 1)  # outputs after the word of the end of the game
        self.start = pack(propnet.initial)
        self._wire(by_programs=by_programs)
        if by_programs and self.dependencies.mean_steps() > MAX_PROGRAM_STEPS:
            self._wire(by_programs=False)

    def _wire(self, *, by_programs: bool) -> None:
        """Wire the propnet. Moves are applied by programs, or by events as everything else."""
        self._divide(by_programs)
        self._connect()
        self.dependencies = MoveDependencies(self.propnet, self.by_moves, self.rewired, self.known)
        self._goals()

    def _divide(self, by_programs: bool) -> None:
        """Find the nodes that depend on moves, and the gates to evaluate by events."""
        propnet = self.propnet
        gates, first = propnet.gates.astype(np.int64), propnet.first_gate
        above = np.zeros(first + len(gates), np.uint8)
        above[1 + len(propnet.bases) : first] = by_programs
        mark_above(gates, first, above)
        self.by_moves = above.astype(np.bool_)
        self.groups = Groups(propnet, gates, self.moves, self.legal_words, self.last_legal)
        following = propnet.next.astype(np.int64)
        still = np.flatnonzero(~self.by_moves[following >> 1])
        self.moved_bits = pack(self.by_moves[following >> 1])
        read = gates[self.by_moves[first:]].ravel()
        read = np.unique(read[~self.by_moves[read >> 1]] & ~1)
        read = read[read >> 1 >= first]
        shown: list[Any] = [[propnet.terminal], following[still], read, self.groups.literals]
        kept = np.zeros(len(gates), np.uint8)
        mark_below(gates, first, np.concatenate(shown).astype(np.int64), kept)
        below = np.zeros(len(gates), np.uint8)
        mark_below(gates, first, propnet.goals[:, 2].astype(np.int64), below)
        self.for_goals = np.flatnonzero((below == 1) & (kept == 0))
        asked = np.concatenate([gates[self.for_goals].ravel(), propnet.goals[:, 2]]) >> 1
        asked = 2 * np.unique(asked[asked >= first])
        read = np.union1d(read, asked[kept[(asked >> 1) - first] == 1])
        self._renumber(gates, np.flatnonzero(kept))
        legal, own = self.groups.wire(self.rewired, first + len(self.gates))
        self.gates = np.concatenate([self.gates, own])
        self.outputs = np.concatenate(
            [legal, self.rewired(np.concatenate([[propnet.terminal], following[still], read]).astype(np.int64))]
        )
        ends = [[64 * self.last_legal], still, np.full(len(read), -1)]
        self.positions = np.concatenate([self.groups.positions + self.guards * self.groups.is_guard, *ends])
        self.positions = self.positions.astype(np.int64)

    def _renumber(self, gates: Integers, kept: Integers) -> None:
        """Number the kept gates after base propositions and moves."""
        first = self.propnet.first_gate
        self.numbers = np.zeros(first + len(gates), np.int64)
        self.numbers[:first] = np.arange(first)
        self.numbers[first + kept] = first + np.arange(len(kept))
        self.gates = self.rewired(gates[kept])

    def rewired(self, literals: Integers) -> Integers:
        """Translate literals of the propnet to literals of the evaluator."""
        found: Integers = 2 * self.numbers[literals >> 1] + (literals & 1)
        return found

    def _connect(self) -> None:
        gates, first, count = self.gates, self.propnet.first_gate, len(self.gates)
        parts, owners, levels = (np.zeros(count, np.int64) for _ in range(3))
        self.count = int(part_of(gates, first, self.outputs, parts))
        self.levels = int(levels_of(gates, first, parts, owners, levels))
        whole = np.flatnonzero(parts == 0)
        ordered = whole[np.argsort(levels[whole], kind="stable")]
        places = np.zeros(count, np.int64)
        places[ordered] = np.arange(self.count)
        self.level_starts = np.searchsorted(levels[ordered], np.arange(self.levels + 1)).astype(np.int64)
        nodes = first + self.count
        starts, middles = np.zeros(nodes + 1, np.int64), np.zeros(nodes, np.int64)
        self.fans = np.zeros(2 * count + len(self.outputs) + 1, np.int32)
        self.falses = np.zeros(self.count + 1, np.int32)
        arrays = (starts, middles, self.fans, self.falses)
        connect(gates, first, parts, owners, places, self.outputs, self.positions, *arrays)
        self.fan_bounds = np.zeros((nodes, 4), np.int32)
        self.fan_bounds[:, 0], self.fan_bounds[:, 1], self.fan_bounds[:, 2] = starts[:-1], middles, starts[1:]
        self.fan_bounds[first:, 3] = levels[ordered]
        self.known = nodes
        gate = self.numbers >= first
        self.numbers[gate] = first + places[self.numbers[gate] - first]

    def _goals(self) -> None:
        """Collect the gates that only goals need; they are evaluated on request."""
        propnet = self.propnet
        self.numbers[propnet.first_gate + self.for_goals] = self.known + np.arange(len(self.for_goals))
        gates = propnet.gates[self.for_goals].astype(np.int64)
        self.goal_gates = self.rewired(gates).astype(np.int32)
        self.goals = goal_records(propnet, self.rewired(propnet.goals[:, 2].astype(np.int64)))


class Evaluator:
    """Gate values for one position, and the record that kernels get as the game's ``rules``."""

    def __init__(self, wiring: Wiring) -> None:
        roles, groups = len(wiring.propnet.roles), wiring.groups
        self.wiring = wiring
        self.programs = MovePrograms(wiring.dependencies)
        nodes = wiring.known + max(self.programs.longest, len(wiring.goal_gates)) + 1
        self.arrays = {
            "falses": wiring.falses.copy(),
            "values": np.zeros(nodes, np.uint8),
            "queued": np.zeros(wiring.count + 1, np.uint8),
            "queue": np.zeros(wiring.count + 1, np.int32),
            "lengths": np.zeros(wiring.levels, np.int64),
            "outputs": np.zeros(wiring.last_legal + 1, np.uint64),
            "enabled": groups.initially_enabled.copy(),
            "tallies": np.zeros(len(groups.roles), np.int64),
            "active": groups.initially_active.copy(),
            "counts": np.zeros(roles + 1, np.int64),
            "state": np.zeros(wiring.words + 1, np.uint64),
            "joint": np.zeros(roles, np.int64),
            "applied": wiring.moves[:-1].copy(),
        }
        self.record = rules_record(EVALUATOR)
        self._fill()
        self.rules = address(self.record)
        begin(self.rules, wiring.outputs, wiring.positions)

    def _fill(self) -> None:
        wiring, groups = self.wiring, self.wiring.groups
        for name, array in self.arrays.items():
            self.record[name] = address(array)
        for name in ("fan_bounds", "fans", "level_starts", "legal_words", "moved_bits", "goal_gates"):
            self.record[name] = address(getattr(wiring, name))
        for name in ("role_of", "player_of", "moves", "goals"):
            self.record[name] = address(getattr(wiring, name))
        for name in ("words", "chance", "levels", "last_legal", "guards"):
            self.record[name] = getattr(wiring, name)
        self.record["owners"], self.record["group_roles"] = address(groups.owners), address(groups.roles)
        self.record["masks"] = address(groups.masks)
        self.record["roles"], self.record["players"] = len(wiring.propnet.roles), len(wiring.role_of)
        self.record["goal_count"], self.record["goal_gate_count"] = len(wiring.goals), len(wiring.goal_gates)
        self.record["first"], self.record["gates"] = wiring.known - wiring.count, wiring.count
        self.record["nodes"], self.record["programs"] = len(self.arrays["values"]), address(self.programs.record)
        self.record["first_move"] = 1 + len(wiring.propnet.bases)
        self.record["move_to_state"], self.record["apply_joint_move"] = (
            move_to_state_kernel().address,
            apply_joint_move_kernel().address,
        )


def goal_records(propnet: Propnet, bits: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.void]:
    """Return the goals as kernels read them. ``bits``: their literals in the evaluator's numbering."""
    goals = np.zeros(len(propnet.goals), GOAL)
    goals["role"], goals["score"], goals["bit"] = propnet.goals[:, 0], propnet.goals[:, 1] / 100, bits
    return goals


def pack(bits: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    """Pack bits into 64-bit words, lowest bit first."""
    padded: Any = np.zeros(-(-len(bits) // 64) * 64, np.bool_)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view(np.uint64)
