"""Cazenave's SHOT: budgets are carried over from round to round and from visit to visit."""

from dataclasses import dataclass

from ramify.strategies.base import HalvingSpec
from ramify.strategies.tree_halving import TreeHalving


@dataclass(frozen=True)
class ShotOriginal(TreeHalving):
    """Sequential halving in every node: T. Cazenave, "Sequential Halving Applied to Trees" (IEEE TCIAIG, 2014).

    Like `shot`, except that a round sets the total visits of each child, including those of earlier rounds and earlier
    visits of the node: b grows by max(1, floor((earlier + B) / (k ceil(log2 K)))) per round, and a child gets b minus
    its visits, as far as the node's budget allows. With two children left at the root, the first gets all but what the
    second still needs. A finished game is one visit and costs no budget, so a search may have more visits than
    simulations and may end before its budget is spent.

    The paper's pseudocode was not available: this follows memory and the published program of T. Pepels, Cazenave's
    co-author on H-MCTS. `earlier` is the visits of the node's children; the paper uses the budget spent there.
    """

    required_roles = ("select", "select_root", "recommend", "updates", "expand_threshold", "fpu")

    def tree_halving(self) -> HalvingSpec:
        return HalvingSpec(carries_over=True)
