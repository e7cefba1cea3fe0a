"""The propnet of a game: its gates, and the meaning of its inputs and outputs."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.core.kernels import checked_files
from ramify.errors import RamifyError
from ramify.ggp.checks import goal_value
from ramify.ggp.grounding import GroundRules, NoPropnetError, TooLargeError
from ramify.ggp.kif import Term, write
from ramify.ggp.propnet.gates import FULL, UNKNOWN, build, number_gates
from ramify.ggp.rules import Rulesheet

Integers = npt.NDArray[np.int32]

MAX_GATES = 1 << 23  # more take gigabytes and are slower than the interpreter
INITIAL_CAPACITY = 1 << 14  # gates
INVALID_GOAL = 200  # in place of a value that is not an integer from 0 to 100; the game ends with an error if it holds


@dataclass(frozen=True)
class Propnet:
    """Gates and literals (``ggp.propnet.gates``). Nodes in order: false, base propositions, moves, gates.

    The gates have three sections: those for legal moves and the end of the game, for goals, and for the next position.
    ``sections`` holds the node where each one ends.
    """

    roles: tuple[Term, ...]
    bases: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]  # by role
    initial: npt.NDArray[np.bool_]  # by base proposition: whether it holds at the start
    gates: Integers  # one row per gate: two literals
    sections: tuple[int, int, int]
    legal: Integers  # one literal per move, role after role
    terminal: int
    goals: Integers  # rows of role, goal value and literal
    next: Integers  # one literal per base proposition
    circle: int  # atoms of the largest cycle of rules; 0: none

    @property
    def first_gate(self) -> int:
        return 1 + len(self.bases) + len(self.legal)

    def depth(self) -> int:
        """Return the largest number of gates on a path from an input to an output."""
        levels = np.zeros(self.first_gate + len(self.gates), np.int64)
        for k, (a, b) in enumerate(self.gates >> 1, start=self.first_gate):
            levels[k] = 1 + max(levels[a], levels[b])
        return int(levels.max(initial=0))

    def save(self, path: Path) -> None:
        """Write the propnet to a file whose name identifies it."""
        texts = json.dumps({"roles": self.roles, "bases": self.bases, "moves": self.moves, "circle": self.circle})
        arrays = {name: getattr(self, name) for name in ("initial", "gates", "legal", "goals", "next")}
        arrays["numbers"] = np.array([*self.sections, self.terminal], np.int64)
        arrays["texts"] = np.frombuffer(texts.encode(), np.uint8)
        content = io.BytesIO()
        np.savez_compressed(content, **arrays)
        with suppress(OSError):  # the file is only a cache
            checked_files.write(path, path.name, content.getvalue())

    @classmethod
    def load(cls, path: Path) -> Propnet | None:
        """Read a propnet from a file. Return None if the file is missing, damaged or that of another propnet."""
        content = checked_files.read(path, path.name)
        if content is None:
            return None
        with np.load(io.BytesIO(content)) as found:
            arrays = {name: found[name] for name in found.files}
        texts = json.loads(arrays.pop("texts").tobytes())
        numbers = [int(number) for number in arrays.pop("numbers")]
        return cls(
            roles=_terms(texts["roles"]),
            bases=_terms(texts["bases"]),
            moves=tuple(_terms(own) for own in texts["moves"]),
            circle=texts["circle"],
            sections=(numbers[0], numbers[1], numbers[2]),
            terminal=numbers[3],
            **arrays,
        )


def _terms(lists: list[Any]) -> tuple[Term, ...]:
    def term(one: Any) -> Term:
        return one if isinstance(one, str) else tuple(map(term, one))

    return tuple(map(term, lists))


def build_propnet(rules: Rulesheet, ground: GroundRules) -> Propnet:
    named = ground.named
    bases = sorted({terms[0] for name in ("init", "next", "true") for _, _, terms in named[name]}, key=write)
    moves = _moves(rules, ground)
    base_node = {base: 1 + k for k, base in enumerate(bases)}
    bounds = 1 + len(bases) + np.cumsum([0, *map(len, moves)])
    move_node = {
        (role, move): int(bounds[r]) + k
        for r, (role, own) in enumerate(zip(rules.roles, moves, strict=True))
        for k, move in enumerate(own)
    }
    first = int(bounds[-1])

    atoms = 1 + max(
        [int(np.abs(array).max(initial=0)) for array in (ground.heads, ground.bodies, ground.free)]
        + [atom for found in named.values() for atom, _, _ in found]
    )
    values = np.full(atoms, UNKNOWN, np.int64)
    values[ground.free] = 1
    for found in named.values():
        values[[atom for atom, fact, _ in found if fact]] = 1
    for atom, _, (base,) in named["true"]:
        values[atom] = 2 * base_node[base]
    for atom, _, (role, move) in named["does"]:
        values[atom] = 2 * move_node.get((role, move), 0)  # clingo may list moves that are never legal

    def literal_atoms(name: str) -> dict[tuple[Term, ...], int]:
        return {terms: atom for atom, _, terms in named[name]}

    next_of, legal_of = literal_atoms("next"), literal_atoms("legal")
    goals = _goals(rules, ground)
    outputs = [legal_of[role, move] for role, own in zip(rules.roles, moves, strict=True) for move in own]
    outputs += [atom for atom, _, _ in named["terminal"]][:1] or [0]
    outputs += [atom for _, _, atom in goals]
    outputs += [next_of.get((base,), 0) for base in bases]
    values[0] = 0  # stands for a missing atom: never true
    sizes = (len(legal_of) + 1, len(goals), len(bases))
    gates, circle = _gates(rules.name, ground, values, np.array(outputs, np.int64), bounds)

    literals = values[outputs]
    ends = np.cumsum(sizes)
    count = len(gates)
    numbers = np.zeros(count, np.int64)
    total = int(number_gates(gates, first, count, literals, ends, numbers))
    kept = np.flatnonzero(numbers[first:]) + first
    ordered = np.empty((total - first, 2), np.int32)
    ordered[numbers[kept] - first] = 2 * numbers[gates[kept] >> 1] + (gates[kept] & 1)
    literals = (2 * numbers[literals >> 1] + (literals & 1)).astype(np.int32)
    _reject_move_dependence(rules, ordered, first, 1 + len(bases), int(ends[1]), literals[: sizes[0] + sizes[1]])
    legal, terminal, rest = np.split(literals, [len(legal_of), len(legal_of) + 1])
    starts = {terms[0] for _, _, terms in named["init"]}
    return Propnet(
        roles=rules.roles,
        bases=tuple(bases),
        moves=tuple(map(tuple, moves)),
        initial=np.array([base in starts for base in bases], np.bool_),
        gates=ordered,
        sections=tuple(int(end) for end in ends),  # type: ignore[arg-type]
        legal=legal,
        terminal=int(terminal[0]),
        goals=np.array([(r, v, g) for (r, v, _), g in zip(goals, rest, strict=False)], np.int32).reshape(-1, 3),
        next=rest[len(goals) :],
        circle=circle,
    )


def _reject_move_dependence(
    rules: Rulesheet, gates: Integers, first: int, first_move: int, end: int, outputs: Integers
) -> None:
    """Raise NoPropnetError if legal moves, goals or the end of the game depend on the moves being made."""
    inputs = np.concatenate([gates[: end - first].ravel(), outputs]) >> 1
    if ((inputs >= first_move) & (inputs < first)).any():
        raise NoPropnetError(
            f"{rules.name} has no propnet: legal moves, goals or the end of the game depend on the moves being made"
        )


def _moves(rules: Rulesheet, ground: GroundRules) -> list[list[Term]]:
    """Return, by role, the moves that may ever be legal."""
    moves: dict[Term, list[Term]] = {role: [] for role in rules.roles}
    for _, _, (role, move) in ground.named["legal"]:
        if role not in moves:
            raise RamifyError(f"{rules.name} has legal moves for '{write(role)}', which is not a role")
        moves[role].append(move)
    for role, own in moves.items():
        if not own:
            raise RamifyError(f"{rules.name}: the role '{write(role)}' never has a legal move")
    return list(moves.values())


def _goals(rules: Rulesheet, ground: GroundRules) -> list[tuple[int, int, int]]:
    """Return role, value and atom of every goal; INVALID_GOAL for values that are not integers from 0 to 100."""
    values = ((atom, role, goal_value(value)) for atom, _, (role, value) in ground.named["goal"])
    return sorted(
        (rules.roles.index(role), INVALID_GOAL if number is None else number, atom)
        for atom, role, number in values
        if role in rules.roles
    )


def _gates(
    name: str, ground: GroundRules, values: npt.NDArray[np.int64], outputs: npt.NDArray[np.int64], bounds: Any
) -> tuple[npt.NDArray[np.int64], int]:
    """Build the gates that the outputs need. Return them and the size of the largest cycle; fills ``values``."""
    order = np.argsort(ground.heads, kind="stable")
    starts = np.searchsorted(ground.heads[order], np.arange(len(values) + 1))
    ends = np.concatenate([[0], ground.ends])
    max_rules = int(np.diff(starts).max(initial=0)) + 1
    max_literals = max(int(np.diff(ends).max(initial=0)), int(np.diff(bounds).max(initial=0))) + 1
    known = values.copy()
    capacity = INITIAL_CAPACITY
    while capacity <= MAX_GATES:
        first = int(bounds[-1])
        values[:] = known
        gates = np.zeros((first + capacity, 2), np.int64)
        counts = np.array([first, 0], np.int64)
        count = build(
            outputs,
            (starts, order, ends, ground.bodies.astype(np.int64), values),
            (gates, np.zeros(4 * capacity, np.int64), counts, np.asarray(bounds, np.int64)),
            tuple(np.empty(size, np.int64) for size in (max_rules, max_rules, max_literals, max_rules)),
            (
                np.empty((len(values) + 1, 3), np.int64),
                np.zeros(len(values), np.int64),
                np.zeros(len(values), np.int64),
                np.empty(len(values) + 1, np.int64),
            ),
        )
        if count != FULL:
            return gates[: int(count)], int(counts[1])
        capacity *= 4
    raise TooLargeError(f"{name} needs a propnet of more than {MAX_GATES} gates")
