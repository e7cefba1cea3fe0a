"""Policies that learn: ``core.hooks.policy_learning`` for the two selectors of a search."""

import numpy as np

from ramify.agents.hooks.hook import Hook
from ramify.contract.game import Game
from ramify.core.hooks.policy_learning import LEARNING, learning_kernel
from ramify.core.kernels.compiling import Kernel
from ramify.core.kernels.pointers import address
from ramify.core.search.tree import NODE
from ramify.strategies.policy.selectors import Selectors


class PolicyLearningHook(Hook):
    """Updates the policies after each simulation."""

    def __init__(self, selectors: Selectors, game: Game | None = None) -> None:
        self.on_simulation = learning_kernel()
        self.block = np.zeros(1, LEARNING)
        root, inner = selectors.root, selectors.inner
        kernels: dict[str, Kernel | None] = {
            "root_update": root.update_kernel,
            "root_average": root.average_kernel if selectors.keeps_average else None,
            "root_after": root.after_kernel,
            "update": inner.update_kernel,
            "average": inner.average_kernel if selectors.keeps_average else None,
            "after": None if selectors.shared else inner.after_kernel,
        }
        for name, kernel in kernels.items():
            self.block[name] = kernel.address if kernel else 0
        self.block["root_draws"], self.block["draws"] = root.returns_arm, inner.returns_arm
        self.block["root_block"], self.block["block"] = address(selectors.root_block), address(selectors.inner_block)
        if game is not None and game.has("play_joint"):
            self._places = np.empty(game.players, np.int64)
            self.block["arm_of_player"] = address(self._places)
            if root.needs_met or inner.needs_met:
                self._met = np.empty(game.max_children, NODE)
                self.block["met"] = address(self._met)
