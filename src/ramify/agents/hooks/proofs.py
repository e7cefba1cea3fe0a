"""Proven scores: ``core.hooks.proofs`` for one tree."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ramify.agents.hooks.bounds import Bounds
from ramify.agents.hooks.hook import Hook
from ramify.contract.game import Game
from ramify.core.hooks.proofs import BELOW_THE_ROOT, EVERYWHERE, NOWHERE, OUT_OF_RANGE, PROOF, TOLERANCE, prove_kernel
from ramify.core.kernels.pointers import address
from ramify.core.search.plan import Memory
from ramify.errors import RamifyError
from ramify.strategies.base import Allocation

Floats = npt.NDArray[np.float64]


class ProofHook(Hook):
    """Maintains proven bounds of scores and prunes children that need no more simulations.

    An allocation that inspects the root orders its children itself, so nothing is pruned there; SHOT does so at every
    node.
    """

    def __init__(self, game: Game, allocation: Allocation) -> None:
        self.game = game
        self.on_simulation = prove_kernel()
        self.constant_sum = game.players == 2 and game.constant_sum
        self.column_count = game.players if self.constant_sum else 2 * game.players
        self._scores = np.zeros(game.players)
        self.block = np.zeros(1, PROOF)
        numbers = {
            "players": game.players,
            "rows": self.column_count,
            "constant_sum": self.constant_sum,
            "score": game.table().scores,
            "scores": address(self._scores),
            "prunes": NOWHERE
            if allocation.tree_halving()
            else BELOW_THE_ROOT
            if allocation.inspects_root
            else EVERYWHERE,
        }
        for name, value in numbers.items():
            self.block[name] = value

    def set_addresses(self, memory: Memory, columns: int) -> None:
        self.block["bounds"], self.block["columns"] = columns, memory.columns
        self.block["all_rows"], self.block["stride"] = memory.rows, memory.stride

    def clear(self, *, moved: bool = False) -> None:
        del moved
        self.block["largest"], self.block["score_error"] = 1.0, 0

    def bounds(self, columns: Floats, player: int) -> Bounds:
        """Return the bounds of a player's score; ``columns``: the hook's columns at some nodes."""
        lost = 1 - player if self.constant_sum else self.game.players + player
        lower, upper = columns[player].copy(), 1.0 - columns[lost]
        return Bounds(lower, np.where(upper - lower <= TOLERANCE, lower, upper))

    def check(self) -> None:
        """Raise if a result cannot be proven: scores outside [0, 1], or not of constant sum as declared."""
        status = int(self.block["score_error"][0])
        if status == 0:
            return
        scores = ", ".join(f"{score:g}" for score in self._scores)
        if status == OUT_OF_RANGE:
            raise RamifyError(f"{self.game.name} has the result {scores}, but prove=true needs scores in [0, 1]")
        raise RamifyError(
            f"{self.game.name} has the result {scores}, but prove=true needs scores of two players that add up to 1:"
            " remove prove=true"
        )
