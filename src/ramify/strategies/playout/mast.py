"""MAST: prefer moves that did well anywhere in the search (Finnsson and Björnsson 2008)."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.contract.move_classes import table_classes
from ramify.core.playouts.average_policy import EPSILON_GREEDY_AVERAGE, GIBBS_AVERAGE, choosing_kernel, sampling_kernel
from ramify.strategies.average_table import DEFAULT_EPSILON, AverageTable, check_sampling
from ramify.strategies.base import MAX_PLIES, BoundPlayoutPolicy, PlyLimit
from ramify.strategies.constants import Probability
from ramify.strategies.policy_playout import PolicyPlayout, reject_simultaneous


@dataclass(frozen=True)
class Mast(PolicyPlayout):
    """Play the move of best mean result in this search; with probability ``epsilon`` a random one.

    With a ``temperature``, use Gibbs sampling instead: probabilities proportional to exp(mean / temperature). Means are
    per player and move class, over all occurrences in simulations, in the tree and below. ``initial`` is the mean of a
    move not seen yet; ``decay`` is the factor applied to the sums when a move of the game is played.
    """

    batchable = True
    epsilon: Probability = DEFAULT_EPSILON
    temperature: float = 0.0
    initial: float = 1.0
    decay: Probability = 0.2
    limit: PlyLimit = MAX_PLIES

    def __post_init__(self) -> None:
        check_sampling(self.epsilon, self.temperature)

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        reject_simultaneous(game, self.title())
        entries = game.players * table_classes(game)
        table = AverageTable(entries, self.initial, self.decay, epsilon=self.epsilon, temperature=self.temperature)
        if self.temperature:
            return BoundPlayoutPolicy(GIBBS_AVERAGE, sampling_kernel(), table.block, (table,))
        return BoundPlayoutPolicy(EPSILON_GREEDY_AVERAGE, choosing_kernel(), table.block, (table,))
