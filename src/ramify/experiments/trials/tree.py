"""Trials of a search on artificial trees: a new tree each, solved, and looked at after every budget."""

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
    """Searches of trees in which some move at the root is better than another; a trial is a search of a new tree.

    Sums: ``hits``, for each budget how many trials returned a best move; ``trees``, how many were drawn for them.
    """

    stored_form = "TreeTrials(game, agent, budgets)"

    game: str  # with {seed} in it
    agent: str
    budgets: tuple[int, ...]  # in simulations, rising

    def texts(self) -> Sequence[str]:
        """The game and the agent."""
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
        """The first tree with a choice to make, its best moves, and how many were drawn to find it."""
        for drawn in numbers(1):
            tree = derive(seed, trial, "tree", drawn) >> 1  # below 2^63
            state = load(self.game.format(seed=tree)).initial()
            best = {move.name for move in solve(state, moves=True).best}
            if len(best) < len(state.moves()):
                return state, best, drawn
        raise AssertionError
