"""Priors of new children: ``core.hooks.priors`` for one game."""

import numpy as np

from ramify.agents.hooks.hook import Hook
from ramify.contract.game import Game
from ramify.core.hooks.priors import PRIORS, priors_kernel
from ramify.core.search.plan import Memory


class PriorsHook(Hook):
    """Sets the priors of new children: the game's, or uniform ones. ``sorts``: sort children by descending prior."""

    def __init__(self, game: Game, *, sorts: bool) -> None:
        self.on_expand = priors_kernel()
        self.block = np.zeros(1, PRIORS)
        self.block["sorts"] = sorts
        self._own = game.kernel("priors")  # owns the machine code behind the address
        self.block["priors"] = self._own.address if self._own else 0

    def set_addresses(self, memory: Memory, columns: int) -> None:
        """Use the buffer of chance probabilities, which is free at a player's node."""
        del columns
        self.block["out"] = memory.probabilities
