"""Searches of artificial trees: one new, solved tree per trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count as numbers

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.game import State
from ramify.contract.load import load
from ramify.experiments.framework.work import Sums, Work
from ramify.runs.seeds import derive
from ramify.solver.solve import solve


@dataclass(frozen=True)
class TreeTrials(Work):
    """Searches of random trees in which not all root moves are equally good; a trial is one search of a new tree.

    Sums: ``hits``, per budget the trials that returned a best move; ``trees``, the number of trees drawn for them.
    """

    stored_form = "TreeTrials(game, agent, budgets)"

    game: str  # with the placeholder {seed}
    agent: str
    budgets: tuple[int, ...]  # in simulations, increasing

    def texts(self) -> Sequence[str]:
        return (self.game.format(seed=0), self.agent)

    def run(self, seed: int, first: int, count: int) -> Sums:
        """Search ``count`` trees."""
        hits = [0] * len(self.budgets)
        trees = 0
        for trial in range(first, first + count):
            state, best, drawn = self._tree(seed, trial)
            trees += drawn
            names = {move.code: move.name for move in state.moves()}
            search = Search(state, self.agent, seed=derive(seed, trial))
            spent = 0
            for place, budget in enumerate(self.budgets):
                hits[place] += names[search.choose(Budget(simulations=budget - spent))] in best
                spent = budget
        return {"hits": hits, "trees": trees}

    def _tree(self, seed: int, trial: int) -> tuple[State, set[str], int]:
        """Draw trees until the root moves differ. Return the root, its best moves, and the number of trees drawn."""
        for drawn in numbers(1):
            tree = derive(seed, trial, "tree", drawn) >> 1  # below 2^63
            state = load(self.game.format(seed=tree)).initial()
            best = {move.name for move in solve(state, moves=True).best}
            if len(best) < len(state.moves()):
                return state, best, drawn
        raise AssertionError
