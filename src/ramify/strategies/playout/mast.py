"""MAST: prefer moves that did well anywhere in the search (Finnsson and Björnsson 2008)."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.contract.move_classes import table_classes
from ramify.core.playouts.average_policy import (
    EPSILON_GREEDY_AVERAGE,
    EPSILON_GREEDY_LISTED,
    GIBBS_AVERAGE,
    choosing_kernel,
    sampling_kernel,
)
from ramify.errors import RamifyError
from ramify.strategies.average_table import DEFAULT_EPSILON, AverageTable, check_learn, check_sampling
from ramify.strategies.base import MAX_PLIES, BoundPlayoutPolicy, BoundStrategy, Playout, PlyLimit
from ramify.strategies.constants import Probability
from ramify.strategies.playout.heuristic import Heuristic
from ramify.strategies.playout.uniform import Uniform
from ramify.strategies.policy_playout import UNIFORM_FALLBACK, PolicyPlayout, bind_playout, reject_simultaneous

LISTED = "heuristic(as_published=true)"  # the only inner playout that lists its moves


@dataclass(frozen=True)
class Mast(PolicyPlayout):
    """Play the move of best mean result in this search; with probability ``epsilon`` a random one.

    With a ``temperature``, use Gibbs sampling instead: probabilities proportional to exp(mean / temperature). Means are
    per player and move class, over all occurrences in simulations, in the tree and below. ``initial`` is the mean of a
    move not seen yet; ``decay`` is the factor applied to the sums when a move of the game is played. ``learn``: the
    game's ``result``, or the ``reward`` that the agent's reward makes of it. ``over=heuristic(as_published=true)``: the
    random move is drawn by that playout, and the best is taken among the moves that it draws from.
    """

    batchable = True
    epsilon: Probability = DEFAULT_EPSILON
    temperature: float = 0.0
    initial: float = 1.0
    decay: Probability = 0.2
    learn: str = "result"
    over: Playout = UNIFORM_FALLBACK
    limit: PlyLimit = MAX_PLIES

    def __post_init__(self) -> None:
        check_sampling(self.epsilon, self.temperature)
        check_learn(self.learn)
        listed = isinstance(self.over, Heuristic) and self.over.as_published
        if not (listed or isinstance(self.over, Uniform)):
            raise RamifyError(f"'over' must be uniform or {LISTED}, not {self.over.title()}")
        if listed and self.temperature:
            raise RamifyError(f"mast(over={LISTED}) is epsilon-greedy: use 'epsilon' instead of 'temperature'")
        object.__setattr__(self, "limit", min(self.limit, self.over.limit))

    def bind(self, game: Game, *, traced: bool) -> BoundStrategy:
        if isinstance(self.over, Uniform):
            return super().bind(game, traced=traced)
        reject_simultaneous(game, self.title())
        for part in ("published_heuristic", "published_moves"):
            if not game.has(part):
                raise RamifyError(f"{game.name} has no {part}, which mast(over={LISTED}) needs: use playout=mast")
        table = self._table(game)
        chosen = BoundPlayoutPolicy(EPSILON_GREEDY_LISTED, choosing_kernel(), table.block, (table,))
        return bind_playout(game, chosen, traced=traced)

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        if not isinstance(self.over, Uniform):
            raise RamifyError(f"mast(over={LISTED}) lists its own moves, so no other playout can contain it")
        reject_simultaneous(game, self.title())
        table = self._table(game)
        if self.temperature:
            return BoundPlayoutPolicy(GIBBS_AVERAGE, sampling_kernel(), table.block, (table,))
        return BoundPlayoutPolicy(EPSILON_GREEDY_AVERAGE, choosing_kernel(), table.block, (table,))

    def _table(self, game: Game) -> AverageTable:
        return AverageTable(
            game.players * table_classes(game),
            self.initial,
            self.decay,
            epsilon=self.epsilon,
            temperature=self.temperature,
            learn=self.learn,
        )
