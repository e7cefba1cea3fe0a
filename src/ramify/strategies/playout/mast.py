"""MAST: moves that did well in the whole search are made more often (Finnsson and Björnsson 2008)."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.contract.move_classes import dense_classes
from ramify.core.playouts.average_policy import BY_AVERAGES, BY_WEIGHTS, choosing_kernel, sampling_kernel
from ramify.strategies.average_table import USUAL, Averages, check_sampling
from ramify.strategies.base import MOST_PLIES, Choosing, PlyLimit
from ramify.strategies.constants import Chance
from ramify.strategies.policy_playout import MoveByMove, refuse_joint_turns


@dataclass(frozen=True)
class Mast(MoveByMove):
    """The move of best mean result in this search, but a random one in ``epsilon`` of the cases.

    With a ``temperature`` instead Gibbs sampling: each move with probability proportional to exp(mean / temperature).
    A mean is of a player and a move class, over all their occurrences in simulations, in the tree and below; ``start``
    is that of a move not yet seen, and ``decay`` what is left of the sums when the game moves on.
    """

    flies = True
    epsilon: Chance = USUAL
    temperature: float = 0.0
    start: float = 1.0
    decay: Chance = 0.2
    limit: PlyLimit = MOST_PLIES

    def __post_init__(self) -> None:
        check_sampling(self.epsilon, self.temperature)

    def choosing(self, game: Game) -> Choosing:
        """By a table of its own."""
        refuse_joint_turns(game, self.title())
        entries = game.players * dense_classes(game)
        table = Averages(entries, self.start, self.decay, epsilon=self.epsilon, temperature=self.temperature)
        if self.temperature:
            return Choosing(BY_WEIGHTS, sampling_kernel(), table.block, (table,))
        return Choosing(BY_AVERAGES, choosing_kernel(), table.block, (table,))
