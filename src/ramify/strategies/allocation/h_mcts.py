"""H-MCTS: SHOT near the root, an ordinary search below."""

from dataclasses import dataclass

from ramify.strategies.base import HalvingSpec
from ramify.strategies.tree_halving import TreeHalving


@dataclass(frozen=True)
class HMcts(TreeHalving):
    """SHOT where a node is given more than ``limit`` simulations, else the search of `select` from that node.

    T. Pepels, T. Cazenave, M. Winands and M. Lanctot, "Minimizing Simple and Cumulative Regret in Monte-Carlo Tree
    Search" (2014). With a limit of 0 it is `shot`, with one not below the budget UCT. Budgets are those of `shot`. The
    default is ours: the limit was tuned for each game.
    """

    limit: int = 30

    required_roles = ("recommend",)

    def tree_halving(self) -> HalvingSpec:
        """Where the budget is above the limit."""
        return HalvingSpec(limit=self.limit)
