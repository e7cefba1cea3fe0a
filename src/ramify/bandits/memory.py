"""What one thread needs to pull the arms of a bandit."""

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
from ramify.strategies.policy.block_layout import MEMORY_AT, SCRATCH
from ramify.strategies.policy.registry import Selection
from ramify.strategies.policy.selectors import Selectors


class BanditMemory:
    """The policy's kernels, and the arms' statistics: a root and its children, as in the tree of a search."""

    def __init__(self, arms: int, policy: Selection, fpu: float) -> None:
        self.choosers = choosers = choosers_of(policy, fpu)
        self.search_memory = address(choosers.root_block) + MEMORY_AT
        self.learning = PolicyLearningHook(choosers) if choosers.learning else None
        rows = choosers.squares + choosers.rows + (2 if choosers.amaf else 0)
        self.tree = Tree(rows, 1 + arms, 0)
        self.counters = np.zeros(1, COUNTERS)
        self.rng = np.zeros(1 + arms, np.uint64)  # of the policy, and of each arm
        self._keep = self._arrays(arms)
        addresses = {name: address(array) for name, array in self._keep.items()}
        for name in ("nodes", "rng", "path", "scores"):
            self._keep["episode"][name] = addresses[name]
        unused = dict.fromkeys(("root", "state", "moves", "probabilities"), 0)
        squares = addresses["columns"] if choosers.squares else 0
        stride = len(self.tree.nodes)
        self.memory = Memory(**addresses, **unused, capacity=1 + arms, rows=rows, stride=stride, squares=squares)
        own = self.memory.columns + 8 * stride * choosers.squares
        self.sums = own + 8 * stride * choosers.rows if choosers.amaf else 0
        choosers.place(self.memory, own, self.sums)
        self._hooks = hook_table([self.learning] if self.learning else [])
        chooser = Selector(choosers.root.kernel.address, address(choosers.root_block), 0)
        hooks = BoundKernels(address(self._hooks.on_simulation), len(self._hooks.on_simulation))
        self.plan = Plan(chooser, chooser, BoundKernel(), BoundKernel(), BoundKernels(), hooks, 0)

    def _arrays(self, arms: int) -> dict[str, npt.NDArray[Any]]:
        """What the memory of a search consists of, as far as a bandit has it."""
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


def choosers_of(policy: Selection, fpu: float) -> Selectors:
    """A policy in memory, unless it needs what a bandit does not have."""
    if policy.policy.needs_classes:
        raise RamifyError(
            f"policy '{policy.name}' asks for move classes, which the arms of a bandit do not have; use another one"
        )
    if policy.policy.columns:
        raise RamifyError(
            f"policy '{policy.name}' reads a column of a backup, which a bandit does not have; use another one"
        )
    return Selectors(policy, policy, fpu, 1)
