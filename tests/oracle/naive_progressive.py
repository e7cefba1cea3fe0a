"""Progressive bias and progressive history as a textbook has them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import log, sqrt

import numpy as np

from ramify import CHANCE, State
from ramify.contract.compiled_game import as_record
from tests.oracle import naive, naive_rave


def priors_of(state: State) -> list[float]:
    """What the game says of its moves, made to add up to 1; even where it says nothing."""
    count = len(state.moves())
    module = getattr(state.game, "module", None)
    if not hasattr(module, "priors"):
        return [1.0 / count] * count
    out = np.zeros(count)
    codes = np.array([move.code for move in state.moves()])
    module.priors(state.game.rules, as_record(state.data), codes, count, out)
    return list(out / out.sum())


@dataclass
class Bias(naive.Search):
    """UCB1 and H / (n + 1), H a weight times the prior; moves never visited are first by H."""

    weight: float = 1.0

    def expand(self, node, state):
        super().expand(node, state)
        if node.children and node.mover != CHANCE:
            for child, prior in zip(node.children, priors_of(state), strict=True):
                child.chance = naive.single(prior)

    def index(self, node, child):
        n = float(child.visits)
        first = child.total / n + self.c * sqrt(log(float(node.visits)) / n) if n else self.fpu
        return first + self.weight * child.chance / (n + 1.0)


@dataclass
class History(naive_rave.Search):
    """UCB1 and the mean of a move's class over all simulations, fading with what the move lost."""

    weight: float = 3.0
    sums: dict[naive_rave.Made, list[float]] = field(default_factory=dict)  # times made, and what that brought

    def index(self, node, child):
        n = float(child.visits)
        made, won = self.sums.get((node.mover, child.kind), (0.0, 0.0))
        first = child.total / n + self.c * sqrt(log(float(node.visits)) / n) if n else self.fpu
        return first + (won / made if made else 0.5) * self.weight / (max(n - child.total, 0.0) + 1.0)

    def credit(self, path, scores):
        moves = [(parent.mover, child.kind) for parent, child in pairwise(path) if parent.mover != CHANCE]
        for key in moves + self.made:
            sums = self.sums.setdefault(key, [0.0, 0.0])
            sums[0] += 1.0
            sums[1] += scores[key[0]]
