"""SHOT: sequential halving applied to trees, with the simpler budgets of a later paper."""

from dataclasses import dataclass

from ramify.strategies.base import HalvingSpec
from ramify.strategies.tree_halving import TreeHalving


@dataclass(frozen=True)
class Shot(TreeHalving):
    """Sequential halving in every node: V. Putrich and F. Meneguzzi (2023), algorithm 4, after T. Cazenave (2014).

    A node spends a budget B so: one playout for each child never tried; then, with what is left of B, ceil(log2 K)
    rounds of floor(B / ceil(log2 K)) each for K children. Of the k children still in each has max(1, floor(round/k));
    where a round is smaller than k, only so many do. After a round the better half by their means stays in.
    A child with a budget of 1 is one playout; a finished game counts its whole budget. A node visited again goes on
    from what it knows, with all its children. What floors leave over at the root goes to the two best moves, so that
    the budget is spent to the last simulation. Returned is the move of best mean among those.

    Two slips of the printed algorithm are mended: it divides by k twice, and ends `until k > 1`. While there are
    simulations left a round has at least one, where the formula gives none (B below ceil(log2 K)).
    """

    required_roles = ("select", "select_root", "recommend", "updates", "expand_threshold", "fpu")

    def tree_halving(self) -> HalvingSpec:
        """Everywhere, with budgets that are not carried over."""
        return HalvingSpec()
