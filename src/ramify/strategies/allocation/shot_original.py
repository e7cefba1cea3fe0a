"""SHOT as T. Cazenave has it: budgets are carried over from round to round and from visit to visit."""

from dataclasses import dataclass

from ramify.strategies.base import HalvingSpec
from ramify.strategies.tree_halving import TreeHalving


@dataclass(frozen=True)
class ShotOriginal(TreeHalving):
    """Sequential halving in every node: T. Cazenave, "Sequential Halving Applied to Trees" (IEEE TCIAIG, 2014).

    As `shot`, except that a round says how many visits each child is to have, those of earlier rounds and earlier
    visits of the node included: b grows by max(1, floor((earlier + B) / (k ceil(log2 K)))) a round, and a child gets b
    less what it had, as far as the node's budget goes. With two children left at the root the first gets all but what
    the second still needs. A finished game is one visit, which costs no budget, so that a search may have more visits
    than simulations, and may end before its budget is spent.

    The pseudocode was not at hand: this is from memory and from the published program of T. Pepels, with whom Cazenave
    wrote on H-MCTS. `earlier` is the visits of the node's children, where the paper keeps the budget spent there.
    """

    required_roles = ("select", "select_root", "recommend", "updates", "expand_threshold", "fpu")

    def tree_halving(self) -> HalvingSpec:
        """Everywhere, with budgets that are carried over."""
        return HalvingSpec(carries_over=True)
