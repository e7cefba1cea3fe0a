"""SHOT: sequential halving applied to trees, with the simpler budgets of Putrich and Meneguzzi 2023."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from ramify.errors import RamifyError
from ramify.strategies.base import HalvingSpec, Root
from ramify.strategies.constants import ValueRange
from ramify.strategies.tree_halving import HALVING, WARM_UPS, TreeHalving


@dataclass(frozen=True)
class Shot(TreeHalving):
    """Sequential halving in every node: V. Putrich and F. Meneguzzi (2023), algorithm 4, after T. Cazenave (2014).

    A node spends a budget B as follows. Each child never visited gets one playout. The rest of B is spent in
    ceil(log2 K) rounds of floor(B / ceil(log2 K)) simulations, for K children. In a round each of the k remaining
    children gets max(1, floor(round / k)); if the round is smaller than k, only the first ones do. Then the half with
    the better means remains. A budget of 1 is one playout; a finished game counts its whole budget. A node visited
    again keeps its statistics and starts with all its children. What rounding leaves over at the root goes to the two
    best moves, so the budget is spent to the last simulation. The better of the two by mean is returned.

    Two errors of the printed algorithm are corrected: it divides by k twice, and ends `until k > 1`. If the formula
    gives empty rounds (B below ceil(log2 K)), a round has one simulation while any remain.

    With ``stop`` the rounds are planned for the whole budget, but the search ends after that many playouts, like the
    program behind the paper's results, which ended after 0.6 s. Visits of finished games do not count, and a node that
    is trying its children tries all of them. The best by mean of the moves still in the race is returned.

    ``warm_up`` spends the first simulations of a budget in seconds or calls: by halving, or with one playout for each
    of the first nodes, ``depth_first`` as the paper has it or ``breadth_first`` as the program has it.
    """

    stop: Annotated[int, ValueRange(0, open=False)] = 0  # 0: never
    warm_up: str = HALVING

    def __post_init__(self) -> None:
        if self.warm_up not in WARM_UPS:
            raise RamifyError(f"invalid warm_up '{self.warm_up}' of shot: use one of {', '.join(WARM_UPS)}")

    required_roles = ("select", "select_root", "recommend", "updates", "expand_threshold", "fpu")

    def tree_halving(self) -> HalvingSpec:
        return HalvingSpec(stop=self.stop, warm_up=self.warm_up)

    def spend(self, budget: Any, run: Callable[[Any], str], root: Root) -> str:
        if self.stop and (budget.seconds is not None or budget.calls is not None or budget.simulations is None):
            raise RamifyError(f"allocation=shot(stop={self.stop}) needs a budget in simulations alone")
        return super().spend(budget, run, root)
