"""Searches by plain Python with a policy whose every answer is examined."""

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
    chosen: Selection, toy: ToyGame, simulations: int, seed: int, watch: CallTimeout, *, compiled: bool
) -> None:
    """Search a toy with a policy in every node; the first flaw that shows is raised.

    ``compiled``: each choice is made by the compiled policy as well, and compared.
    """
    policy = PlainPolicy.from_policy(chosen.policy, watch, compiled=compiled)
    plain = PlainSelection(chosen.name, chosen.constants, plain=policy)
    own = replace(agent("mcts"), select=plain, select_root=plain, backup=ZeroColumns(policy.columns))
    learning = learning_kernel()
    INTERPRETED[learning.address] = learning.function  # it calls the policy's own functions
    try:
        worker = Worker(toy.game().initial(), own, seed, 0)
        with np.errstate(all="ignore"):
            search(TREE, worker.runner.table, worker.runner.plan, worker.memory.addresses, simulations, NO_LIMIT)
    finally:
        policy.forget()
