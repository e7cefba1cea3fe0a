"""The arrays behind ``lanes.LANES``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.core.kernels.compiling import Kernel
from ramify.core.kernels.pointers import address
from ramify.ggp.propnet.evaluator import Wiring, goal_records
from ramify.ggp.propnet.lanes import LANES, WIDE_WORDS, lane_kernels
from ramify.ggp.propnet.propnet import Propnet

CACHE_LINE = 64  # bytes that a processor fetches at once


class LaneBatch:
    """Room for lanes of one network: 64, or 64 times WIDE."""

    def __init__(self, wiring: Wiring, most: int) -> None:
        network = wiring.network
        words = 1 if most <= 64 else WIDE_WORDS
        roles, moves = len(network.roles), int(wiring.moves[-1])
        widths = wiring.legal_words - wiring.legal_words[0]
        self.root = np.zeros(len(network.bases), np.uint64)
        self.arrays = {
            "moves": wiring.moves,
            "gates": np.ascontiguousarray(network.gates),
            "legal": np.ascontiguousarray(network.legal),
            "next": np.ascontiguousarray(network.next),
            "goals": goal_records(network, network.goals[:, 2]),
            "legal_words": np.ascontiguousarray(widths),
            "values": aligned((1 + len(network.bases) + moves + len(network.gates)) * words),
            "following": aligned(len(network.bases) * words),
            "root": self.root,
            "begins": np.zeros(words, np.uint64),
            "ended": np.zeros(words, np.uint64),
            "able": np.zeros(64 * words * int(widths[-1]), np.uint64),
            "counts": np.zeros(64 * words * roles, np.int64),
            "chosen": np.zeros(64 * words, np.int64),
            "block": aligned(64 * words),
        }
        self.record = self._record(network, words)
        self.block, self.chosen = address(self.record), address(self.arrays["chosen"])

    def _record(self, network: Propnet, words: int) -> npt.NDArray[np.void]:
        record = np.zeros(1, LANES)
        for name, array in self.arrays.items():
            record[name] = address(array)
        first = network.first_gate
        record["shown"], record["goal"], record["end"] = (end - first for end in network.sections)
        record["bases"], record["roles"] = len(network.bases), len(network.roles)
        record["first"], record["words"] = first, words
        record["terminal"], record["goal_count"] = network.terminal, len(network.goals)
        return record

    @property
    def kernels(self) -> dict[str, Kernel]:
        """What works on them."""
        made: dict[str, Kernel] = lane_kernels()
        return made

    def begin(self, data: npt.NDArray[np.uint64], lanes: int, rng: int) -> None:
        """Put so many lanes at a state; moves are drawn from a generator's state at an address."""
        bits = np.unpackbits(data.view(np.uint8), bitorder="little")[: len(self.root)]
        self.root[:] = np.where(bits, ~np.uint64(0), np.uint64(0))
        self.record["lanes"], self.record["rng"] = lanes, rng
        self.kernels["begin"](self.block)


def aligned(count: int) -> npt.NDArray[np.uint64]:
    """Words that begin where a line of the processor's memory does."""
    room: npt.NDArray[np.uint64] = np.zeros(count + CACHE_LINE // 8, np.uint64)
    skip = -address(room) % CACHE_LINE // 8
    return room[skip : skip + count]
