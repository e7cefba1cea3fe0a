"""Memory that one thread needs to pull the arms of a bandit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ramify.agents.hooks.policy_learning import PolicyLearningHook
from ramify.agents.search.build_plan import hook_table
from ramify.agents.shapes.tree_arrays import Tree
from ramify.core.kernels.pointers import address
from ramify.core.search.episode import EPISODE
from ramify.core.search.plan import COUNTERS, BoundKernel, BoundKernels, Memory, Plan, Selector
from ramify.errors import RamifyError
from ramify.strategies.policy.block_layout import GAME_MEMORY_AT, MEMORY, SCRATCH
from ramify.strategies.policy.registry import Selection
from ramify.strategies.policy.selectors import Selectors

POLICY_MEMORY = 2 * MEMORY  # numbers that a policy keeps per game and per search; here both are a task


class BanditMemory:
    """The policy's kernels and the arms' statistics, as a tree with a root and one child per arm."""

    def __init__(self, arms: int, policy: Selection, fpu: float) -> None:
        self.selectors = selectors = build_selectors(policy, fpu)
        self.policy_memory = address(selectors.root_block) + GAME_MEMORY_AT  # POLICY_MEMORY numbers
        self.learning = PolicyLearningHook(selectors) if selectors.learning else None
        rows = selectors.squares + selectors.rows + (2 if selectors.amaf else 0)
        self.tree = Tree(rows, 1 + arms, 0)
        self.counters = np.zeros(1, COUNTERS)
        self.rng = np.zeros(1 + arms, np.uint64)  # of the policy, and of each arm
        self._keep = self._arrays(arms)
        addresses = {name: address(array) for name, array in self._keep.items()}
        for name in ("nodes", "rng", "path", "scores"):
            self._keep["episode"][name] = addresses[name]
        unused = dict.fromkeys(("root", "state", "moves", "probabilities"), 0)
        squares = addresses["columns"] if selectors.squares else 0
        stride = len(self.tree.nodes)
        self.memory = Memory(**addresses, **unused, capacity=1 + arms, rows=rows, stride=stride, squares=squares)
        own = self.memory.columns + 8 * stride * selectors.squares
        self.sums = own + 8 * stride * selectors.rows if selectors.amaf else 0
        selectors.place(self.memory, own, self.sums)
        self._hooks = hook_table([self.learning] if self.learning else [])
        selector = Selector(selectors.root.kernel.address, address(selectors.root_block), 0)
        hooks = BoundKernels(address(self._hooks.on_simulation), len(self._hooks.on_simulation))
        self.plan = Plan(selector, selector, BoundKernel(), BoundKernel(), BoundKernels(), hooks, 0)

    def _arrays(self, arms: int) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a search's memory that a bandit has."""
        return {
            "nodes": self.tree.nodes,
            "columns": self.tree.columns,
            "counters": self.counters,
            "rng": self.rng,
            "path": np.zeros(2, np.int64),
            "scores": np.zeros(1),
            "scratch": np.zeros(SCRATCH * arms),
            "episode": np.zeros(1, EPISODE),
        }


def build_selectors(policy: Selection, fpu: float) -> Selectors:
    """Return a policy in memory. Raise an error if it needs what a bandit does not have."""
    if policy.policy.needs_classes:
        raise RamifyError(
            f"policy '{policy.name}' asks for move classes, which the arms of a bandit do not have: use another policy"
        )
    if policy.policy.columns:
        raise RamifyError(
            f"policy '{policy.name}' reads a column of a backup, which a bandit does not have: use another policy"
        )
    return Selectors(policy, policy, fpu, 1)
