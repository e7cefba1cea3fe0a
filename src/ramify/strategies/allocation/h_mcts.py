"""H-MCTS: SHOT near the root, UCT below."""

from dataclasses import dataclass

from ramify.strategies.base import HalvingSpec
from ramify.strategies.tree_halving import TreeHalving


@dataclass(frozen=True)
class HMcts(TreeHalving):
    """SHOT in nodes that get more than ``limit`` simulations, else a search by `select` from that node.

    T. Pepels, T. Cazenave, M. Winands and M. Lanctot, "Minimizing Simple and Cumulative Regret in Monte-Carlo Tree
    Search" (2014). With limit = 0 it is `shot`; with limit >= budget it is UCT. Budgets are divided as in `shot`. The
    default limit is ours; the paper tuned it for each game.
    """

    limit: int = 30

    required_roles = ("recommend",)

    def tree_halving(self) -> HalvingSpec:
        return HalvingSpec(limit=self.limit)
