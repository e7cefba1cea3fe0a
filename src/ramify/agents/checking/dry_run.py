"""Dry runs: searches in plain Python that check every value a policy returns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ramify.agents.agent import agent
from ramify.agents.budgets.budget import NO_LIMIT
from ramify.agents.checking.plain_policy import PlainPolicy, PlainSelection
from ramify.agents.checking.toy_game import ToyGame
from ramify.agents.checking.zero_columns import ZeroColumns
from ramify.agents.search.worker import Worker
from ramify.contract.checking.call_timeout import CallTimeout
from ramify.core.hooks.policy_learning import learning_kernel
from ramify.core.kernels.compiling import INTERPRETED
from ramify.core.search.loop import search
from ramify.core.shapes.tree import TREE
from ramify.strategies.policy.registry import Selection


def dry_run(
    selection: Selection, toy: ToyGame, simulations: int, seed: int, timeout: CallTimeout, *, compiled: bool
) -> None:
    """Search a toy game with the policy at every node. Raise the first ContractViolation.

    ``compiled``: also run the compiled policy and compare every choice.
    """
    policy = PlainPolicy.from_policy(selection.policy, timeout, compiled=compiled)
    plain = PlainSelection(selection.name, selection.constants, plain=policy)
    plain_agent = replace(agent("mcts"), select=plain, select_root=plain, backup=ZeroColumns(policy.columns))
    learning = learning_kernel()
    INTERPRETED[learning.address] = learning.function  # it calls the user's functions
    try:
        worker = Worker(toy.game().initial(), plain_agent, seed, 0)
        with np.errstate(all="ignore"):
            search(TREE, worker.runner.table, worker.runner.plan, worker.memory.addresses, simulations, NO_LIMIT)
    finally:
        policy.clear()
