"""The arrays behind ``events.DESK``: the wiring of a game, made once, and desks for it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.core.kernels.pointers import address
from ramify.ggp.network.events import DESK, GOAL, begin, bring_kernel, make_kernel
from ramify.ggp.network.network import Network
from ramify.ggp.network.wiring import connect, levels_of, part_of
from ramify.ggp.rules import RANDOM


class Wiring:
    """What events need to know about a network."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.words = -(-len(network.bases) // 64)
        self._places()
        self._connect()
        self.chance = network.roles.index(RANDOM) if RANDOM in network.roles else -1
        self.role_of = np.array([r for r in range(len(network.roles)) if r != self.chance], np.int64)
        self.player_of = np.full(len(network.roles), -1, np.int64)
        self.player_of[self.role_of] = np.arange(len(self.role_of))
        self.moves = np.cumsum([0, *map(len, network.moves)], dtype=np.int64)
        self.goals = np.zeros(len(network.goals), GOAL)
        self.goals["role"] = network.goals[:, 0]
        self.goals["score"] = network.goals[:, 1] / 100
        self.goals["bit"] = self.positions[len(network.legal) + 1 : len(network.legal) + 1 + len(network.goals)]
        self.start = pack(network.initial)

    def _places(self) -> None:
        """Where each output's bit stands: next position, legal moves of each role from a word's begin on, the rest."""
        network = self.network
        sizes = [len(own) for own in network.moves]
        self.legal_words = self.words + np.cumsum([0, *(-(-size // 64) for size in sizes)], dtype=np.int64)
        self.last_legal = int(self.legal_words[-1])
        legal = [64 * self.legal_words[role] + k for role, size in enumerate(sizes) for k in range(size)]
        rest = 64 * self.last_legal + np.arange(1 + len(network.goals))
        self.outputs = np.concatenate([network.legal, [network.terminal], network.goals[:, 2], network.next]).astype(
            np.int64
        )
        self.positions = np.concatenate([legal, rest, np.arange(len(network.bases))]).astype(np.int64)
        self.output_words = self.last_legal + -(-len(rest) // 64)
        self.owners = np.full(64 * self.output_words, len(network.roles), np.uint8)
        for role, size in enumerate(sizes):
            self.owners[64 * self.legal_words[role] :][:size] = role

    def _connect(self) -> None:
        network = self.network
        gates = network.gates.astype(np.int64)
        first, count = network.first_gate, len(gates)
        parts, owners, levels = (np.zeros(count, np.int64) for _ in range(3))
        self.count = int(part_of(gates, first, self.outputs, parts))
        self.levels = int(levels_of(gates, first, parts, owners, levels))
        whole = np.flatnonzero(parts == 0)
        ordered = whole[np.argsort(levels[whole], kind="stable")]
        places = np.zeros(count, np.int64)
        places[ordered] = np.arange(self.count)
        self.level_of = levels[ordered].astype(np.int32)
        self.level_starts = np.searchsorted(self.level_of, np.arange(self.levels + 1)).astype(np.int64)
        nodes = first + self.count
        self.starts, self.middles = np.zeros(nodes + 1, np.int64), np.zeros(nodes, np.int64)
        self.fans = np.zeros(2 * count + len(self.outputs) + 1, np.int32)
        self.falses = np.zeros(self.count + 1, np.int32)
        connect(
            gates,
            first,
            parts,
            owners,
            places,
            self.outputs,
            self.positions,
            self.starts,
            self.middles,
            self.fans,
            self.falses,
        )


class Desk:
    """The values of a network's gates for one position, and the record that kernels get as the game's rules."""

    def __init__(self, wiring: Wiring) -> None:
        roles = len(wiring.network.roles)
        self.wiring = wiring
        self.arrays = {
            "falses": wiring.falses.copy(),
            "values": np.zeros(wiring.count + 1, np.uint8),
            "queued": np.zeros(wiring.count + 1, np.uint8),
            "queue": np.zeros(wiring.count + 1, np.int32),
            "lengths": np.zeros(wiring.levels, np.int64),
            "outputs": np.zeros(wiring.output_words, np.uint64),
            "counts": np.zeros(roles + 1, np.int64),
            "state": np.zeros(wiring.words + 1, np.uint64),
            "made": wiring.moves[:-1].copy(),
            "joint": np.zeros(roles, np.int64),
        }
        self.record = np.zeros(1, DESK)
        for name, array in self.arrays.items():
            self.record[name] = address(array)
        for name in ("starts", "middles", "fans", "level_of", "level_starts", "legal_words", "owners"):
            self.record[name] = address(getattr(wiring, name))
        for name in ("role_of", "player_of", "moves", "goals"):
            self.record[name] = address(getattr(wiring, name))
        for name in ("words", "chance", "levels", "last_legal"):
            self.record[name] = getattr(wiring, name)
        self.record["roles"], self.record["players"] = roles, len(wiring.role_of)
        self.record["bases"], self.record["goal_count"] = len(wiring.network.bases), len(wiring.goals)
        self.record["first"], self.record["gates"] = wiring.network.first_gate, wiring.count
        self.record["bring"], self.record["make"] = bring_kernel().address, make_kernel().address
        self.rules = address(self.record)
        begin(self.rules, wiring.outputs, wiring.positions)


def pack(bits: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    """Bits as words."""
    padded: Any = np.zeros(-(-len(bits) // 64) * 64, np.bool_)
    padded[: len(bits)] = bits
    return np.packbits(padded, bitorder="little").view(np.uint64)
