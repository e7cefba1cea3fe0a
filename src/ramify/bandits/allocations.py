"""Runs an allocation on the arms of a bandit, as on the moves at the root of a tree."""

from __future__ import annotations

from contextlib import nullcontext
from time import perf_counter
from typing import Any

import numpy as np

from ramify.agents.agent import Agent, agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.search.live_root import LiveRoot
from ramify.bandits.bandit import Bandit, Floats, seed_word
from ramify.bandits.engine import begin_task, pull_more
from ramify.bandits.memory import POLICY_MEMORY, BanditMemory
from ramify.bandits.runner import BanditResult, check_bandit, check_whole
from ramify.contract.author_errors import explaining_errors
from ramify.contract.python_rules import PythonGenerator
from ramify.errors import RamifyError
from ramify.numpy_scalars import accepting_numpy
from ramify.strategies.base import HalvingProgress


@accepting_numpy
def spend(
    bandit: Bandit, allocation: str, *, pulls: int, tasks: int = 1, seed: int = 0, **arguments: Any
) -> BanditResult:
    """Run an allocation on ``bandit`` with ``pulls`` pulls, in ``tasks`` independent tasks.

    ``arguments`` are parameters of ``mcts``, such as ``select_root`` and ``recommend``, which replace the allocation's
    defaults. Rewards are those of ``run`` with the same seed. The result has one checkpoint, the end.
    """
    check_bandit(bandit)
    check_whole(pulls=pulls, tasks=tasks)
    chosen = agent(allocation=allocation, **arguments)
    if chosen.allocation.tree_halving() is not None:
        raise RamifyError(
            f"allocation={chosen.allocation.title()} halves in every node of a tree, which a bandit does not have:"
            " use allocation=sequential_halving"
        )
    root = BanditRoot(bandit, chosen)
    result = BanditResult(
        times=np.array([pulls]),
        regret=np.zeros((tasks, 1)),
        chosen=np.zeros((tasks, 1), np.int64),
        pulls=np.zeros((tasks, bandit.arms), np.int64),
        means=bandit.means,
    )
    for task in range(tasks):
        result.chosen[task, 0] = root.spend(Budget(simulations=pulls), seed, task)
        result.pulls[task] = root.pulls
        lost = result.pulls[task] * (bandit.means.max() - bandit.means)
        result.regret[task, 0] = sum(lost.tolist())  # in order: BLAS rounds differently on other processors
    return result


class BanditRoot:
    """A bandit as the root of a search, on which an allocation spends its budget."""

    def __init__(self, bandit: Bandit, chosen: Agent) -> None:
        self.bandit, self.agent = bandit, chosen
        self.table, self._keep = bandit.table()
        self.memory = BanditMemory(bandit.arms, chosen.select_root, chosen.fpu)
        self.tree, self.counters, self.rng = self.memory.tree, self.memory.counters, self.memory.rng

    @property
    def pulls(self) -> Floats:
        """Pulls of each arm."""
        arms = self.tree.nodes[1 : 1 + self.bandit.arms]
        found = np.zeros(len(arms))
        found[arms["move"]] = arms["visits"]
        return found

    def spend(self, budget: Budget, seed: int, task: int) -> int:
        """Spend a budget on a new task. Return the recommended arm."""
        own = self.memory
        begin_task(self.table, own.memory, own.policy_memory, POLICY_MEMORY, seed_word(seed), task)
        self.counters[0] = 0
        arrays = (self.tree, self.counters, self.rng)
        # No other thread reads the arms, and the root of a bandit is always expanded.
        root = LiveRoot(*arrays, nullcontext(), lambda: None, lambda: HalvingProgress(0, 0, 0), perf_counter)
        self.agent.allocation.spend(budget, self._pull, root)
        arms = self.tree.nodes[1 : 1 + self.bandit.arms]
        if self.agent.allocation.chooses_move:
            return int(arms["move"][0])
        visits = arms["visits"].astype(np.float64)
        values = np.where(visits > 0, arms["total"] / np.maximum(visits, 1.0), -np.inf)
        return int(arms["move"][self.agent.recommend.choose(visits, values, PythonGenerator(int(self.rng[0])))])

    def _pull(self, part: Budget) -> str:
        own = self.memory
        with explaining_errors():
            pull_more(self.table, own.plan, own.memory, part.simulations or 0, own.sums)
        return "simulations"
