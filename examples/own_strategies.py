"""One strategy for each role; docs/strategies.md explains them.

ramify search connect4 --simulations 2000 --agent 'mcts(reward=examples/own_strategies.py:contempt(worth=0.3))'
"""

from dataclasses import dataclass, replace

import numpy as np

from ramify.core.hooks.amaf import NONE
from ramify.core.kernels.compiling import kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import below
from ramify.core.search.episode import EPISODE
from ramify.strategies.base import (
    MAX_PLIES,
    Allocation,
    BoundStrategy,
    Playout,
    Recommendation,
    Reward,
    Timing,
    Updates,
    best,
)

# A reward: a kernel (block, episode) that changes the scores.

CONTEMPT = np.dtype([("worth", np.float64), ("draws", np.int64)])


def despise_draws(block_, episode_):
    block = record(block_, CONTEMPT)
    episode = record(episode_, EPISODE)
    scores = array(episode.scores, 2, np.float64)
    if scores[0] == scores[1]:
        block.draws += 1
        scores[0] = scores[1] = block.worth
    return 0


@dataclass(frozen=True)
class Contempt(Reward):
    """A draw is worth ``worth`` to both players."""

    worth: float = 0.3

    def bind(self, game):
        return BoundStrategy(kernel(despise_draws), np.array([(self.worth, 0)], CONTEMPT))

    def reset(self, block):
        block["draws"] = 0


# A playout: a kernel (rules, state, episode, block) that plays to the end. This one lists the game's legal moves.

FRONT = np.dtype([("legal", np.int64), ("play", np.int64), ("width", np.int64)])


def play_in_front(rules, state, episode_, block_):
    block = record(block_, FRONT)
    episode = record(episode_, EPISODE)
    rng = array(episode.rng, 1, np.uint64)
    plies = 0
    count = call(block.legal, (rules, state, episode.moves))
    while count > 0:
        if plies == episode.limit:
            return -1 - plies
        moves = array(episode.moves, count, np.int64)
        call(block.play, (rules, state, moves[below(rng, min(count, block.width))]))
        plies += 1
        count = call(block.legal, (rules, state, episode.moves))
    return plies


@dataclass(frozen=True)
class Front(Playout):
    """Uniform among the first ``width`` legal moves; for games without chance."""

    width: int = 3
    limit: int = MAX_PLIES

    def bind(self, game, *, traced):
        table = game.table()
        return BoundStrategy(kernel(play_in_front), np.array([(table.legal, table.play, self.width)], FRONT))


# A recommendation: plain Python over the statistics of the root's children.


@dataclass(frozen=True)
class Cautious(Recommendation):
    """The highest value among children with at least ``share`` of the most visits."""

    share: float = 0.5

    def choose(self, visits, values, rng):
        often = visits >= self.share * visits.max()
        return best(rng, np.where(often, values, -np.inf), visits)


# An allocation: rounds, and the children that are live in each.


@dataclass(frozen=True)
class HalfTime(Allocation):
    """After half of the simulations, only search the better half of the moves."""

    needs_simulations = True

    def spend(self, budget, run, root):
        first = budget.simulations // 2
        if first and run(replace(budget, simulations=first)) == "simulations":
            order = np.argsort(-root.values)
            root.keep(order[: max(1, len(order) // 2)])
        return run(replace(budget, simulations=budget.simulations - first))


# RAVE updates: settings in the record of ``core.hooks.amaf``.


@dataclass(frozen=True)
class EarlyBird(Updates):
    """Credit every move with its player's reward; early moves weigh more."""

    weighted: bool = True

    def write_fields(self, block):
        block["errors"], block["weighted"] = NONE, self.weighted


# A timing: the seconds for a move, from the time left on the clock.


@dataclass(frozen=True)
class Steady(Timing):
    """Time for a move as if ``moves`` moves remained, plus the increment."""

    moves: float = 30.0

    def seconds(self, left, increment):
        return left / self.moves + increment
