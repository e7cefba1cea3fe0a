"""Arrays for groups of legal moves with common conditions (``guards``)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ramify.ggp.propnet import guards
from ramify.ggp.propnet.propnet import Propnet

Integers = npt.NDArray[np.int64]


class Groups:
    """The group of each legal move, and the guard of each group. Group 0 has no role and no moves."""

    def __init__(self, propnet: Propnet, gates: Integers, moves: Integers, words: Integers, last: int) -> None:
        self.propnet = propnet
        self.keys: list[list[int]] = []  # conditions of each guard
        self.groups: list[int] = []  # group of each guard
        self.owners = np.zeros(64 * (last + 1), np.int32)  # group of each bit
        legal = propnet.legal.astype(np.int64)
        roles = [len(propnet.roles)]
        counts: list[Integers] = []
        rests: list[Integers] = []
        bits: list[Integers] = []
        for role in range(len(propnet.roles)):
            own = legal[moves[role] : moves[role + 1]]
            bits.append(64 * words[role] + np.arange(len(own)))
            sizes, rest = self._divide(role, roles, Conditions(gates, propnet.first_gate, own), bits[-1])
            counts.append(sizes)
            rests.append(rest)
        self.roles = np.array(roles, np.int64)
        sizes = np.concatenate([*counts, np.array([len(key) for key in self.keys], np.int64)])
        self.starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        common = np.array([literal for key in self.keys for literal in key], np.int64)
        self.literals = np.concatenate([*rests, common])
        self.positions = np.concatenate([*bits, np.array(self.groups, np.int64)])
        self.is_guard = np.arange(len(sizes)) >= len(legal)
        self._enable(last)

    def _divide(self, role: int, roles: list[int], conditions: Conditions, bits: Integers) -> tuple[Integers, Integers]:
        """Group one role's moves. Return the number of remaining conditions of each move, and these conditions."""
        self.owners[bits] = len(roles)
        roles.append(role)
        taken = np.zeros(len(bits), np.bool_)
        for key in conditions.frequent_keys():
            chosen = conditions.keys == key
            taken |= chosen
            self.owners[bits[chosen]] = len(roles)
            self.groups.append(len(roles))
            self.keys.append(conditions.of_key(key))
            roles.append(role)
        return conditions.rest_of(taken)

    def _enable(self, last: int) -> None:
        """Compute the bits of each group, and those enabled while no guard holds."""
        guarded = np.zeros(len(self.roles), np.bool_)
        guarded[self.groups] = True
        self.initially_active = (~guarded).astype(np.int64)
        self.masks = np.zeros((len(self.roles), last), np.uint64)
        for group in range(1, len(self.roles)):
            own = self.owners[: 64 * last] == group
            self.masks[group] = np.packbits(own, bitorder="little").view(np.uint64)
        self.initially_enabled = np.bitwise_or.reduce(self.masks[~guarded], axis=0)

    def wire(self, rewired: Callable[[Integers], Integers], node: int) -> tuple[Integers, Integers]:
        """Return the literal of each legal move and guard, and their gates, which are numbered from ``node``."""
        literals = np.zeros(len(self.starts) - 1, np.int64)
        gates = np.zeros((len(self.literals), 2), np.int64)
        count = int(guards.chain(self.starts, rewired(self.literals), node, gates, literals))
        return literals, gates[:count]


class Conditions:
    """Conditions of a role's legal moves."""

    def __init__(self, gates: Integers, first: int, legal: Integers) -> None:
        self.legal = legal
        counts = np.zeros(2 * (first + len(gates)), np.int64)
        guards.count_conditions(gates, first, legal, counts)
        counts[:2] = 0
        threshold = max(guards.MIN_GROUP, len(legal) // guards.COMMON_ONE_IN)
        common = np.flatnonzero(counts >= threshold)
        self.common = common[np.argsort(-counts[common], kind="stable")][: guards.MAX_SHARED]
        ranks = np.full(len(counts), -1, np.int64)
        ranks[self.common] = np.arange(len(self.common))
        holds = np.zeros(len(gates), np.uint8)
        guards.find_holders(gates, first, ranks, holds)
        self.keys, self.starts = np.zeros(len(legal), np.int64), np.zeros(len(legal) + 1, np.int64)
        given = (gates, first, legal, ranks, holds, self.keys, self.starts)
        size = guards.take_apart(*given, np.empty(0, np.int64))
        self.rest = np.empty(size, np.int64)
        guards.take_apart(*given, self.rest)

    def frequent_keys(self) -> list[int]:
        """Return the sets of conditions that many moves share, as bit masks."""
        keys, counts = np.unique(self.keys, return_counts=True)
        order = np.argsort(-counts, kind="stable")
        return [int(keys[k]) for k in order if keys[k] and counts[k] >= guards.MIN_GROUP][: guards.MAX_GROUPS]

    def of_key(self, key: int) -> list[int]:
        """Return the conditions of a bit mask."""
        return [int(self.common[rank]) for rank in range(len(self.common)) if key >> rank & 1]

    def rest_of(self, taken: npt.NDArray[np.bool_]) -> tuple[Integers, Integers]:
        """Return the number of remaining conditions per move, and these; for ungrouped moves the move itself."""
        sizes = np.where(taken, np.diff(self.starts), 1)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        rest = np.empty(int(starts[-1]), np.int64)
        rest[starts[:-1][~taken]] = self.legal[~taken]
        rest[np.repeat(taken, sizes)] = self.rest[np.repeat(taken, np.diff(self.starts))]
        return sizes, rest
