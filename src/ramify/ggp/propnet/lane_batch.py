"""Arrays of ``lanes.LANES``."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.core.kernels.compiling import Kernel
from ramify.core.kernels.pointers import address
from ramify.ggp.propnet.evaluator import Wiring, goal_records
from ramify.ggp.propnet.lanes import LANES, WIDE_WORDS, lane_kernels
from ramify.ggp.propnet.propnet import Propnet

CACHE_LINE = 64  # bytes


class LaneBatch:
    """Memory for up to 64 lanes of a propnet, or up to 64 * WIDE_WORDS if ``most`` exceeds 64."""

    def __init__(self, wiring: Wiring, most: int) -> None:
        propnet = wiring.propnet
        words = 1 if most <= 64 else WIDE_WORDS
        roles, moves = len(propnet.roles), int(wiring.moves[-1])
        widths = wiring.legal_words - wiring.legal_words[0]
        self.root = np.zeros(len(propnet.bases), np.uint64)
        self.arrays = {
            "moves": wiring.moves,
            "gates": np.ascontiguousarray(propnet.gates),
            "legal": np.ascontiguousarray(propnet.legal),
            "next": np.ascontiguousarray(propnet.next),
            "goals": goal_records(propnet, propnet.goals[:, 2]),
            "legal_words": np.ascontiguousarray(widths),
            "values": aligned((1 + len(propnet.bases) + moves + len(propnet.gates)) * words),
            "next_values": aligned(len(propnet.bases) * words),
            "root": self.root,
            "restarting": np.zeros(words, np.uint64),
            "ended": np.zeros(words, np.uint64),
            "legal_by_lane": np.zeros(64 * words * int(widths[-1]), np.uint64),
            "counts": np.zeros(64 * words * roles, np.int64),
            "chosen": np.zeros(64 * words, np.int64),
            "block": aligned(64 * words),
        }
        self.record = self._record(propnet, words)
        self.block, self.chosen = address(self.record), address(self.arrays["chosen"])

    def _record(self, propnet: Propnet, words: int) -> npt.NDArray[np.void]:
        record = np.zeros(1, LANES)
        for name, array in self.arrays.items():
            record[name] = address(array)
        first = propnet.first_gate
        record["position_gates_end"], record["goal_gates_end"], record["end"] = (
            end - first for end in propnet.sections
        )
        record["bases"], record["roles"] = len(propnet.bases), len(propnet.roles)
        record["first"], record["words"] = first, words
        record["terminal"], record["goal_count"] = propnet.terminal, len(propnet.goals)
        return record

    @property
    def kernels(self) -> dict[str, Kernel]:
        made: dict[str, Kernel] = lane_kernels()
        return made

    def begin(self, data: npt.NDArray[np.uint64], lanes: int, rng: int) -> None:
        """Start ``lanes`` lanes at a state, where restarted lanes return. ``rng``: address of a generator."""
        bits = np.unpackbits(data.view(np.uint8), bitorder="little")[: len(self.root)]
        self.root[:] = np.where(bits, ~np.uint64(0), np.uint64(0))
        self.record["lanes"], self.record["rng"] = lanes, rng
        self.kernels["begin"](self.block)


def aligned(count: int) -> npt.NDArray[np.uint64]:
    """Return zeroed words that start at a cache line."""
    memory: npt.NDArray[np.uint64] = np.zeros(count + CACHE_LINE // 8, np.uint64)
    skip = -address(memory) % CACHE_LINE // 8
    return memory[skip : skip + count]
