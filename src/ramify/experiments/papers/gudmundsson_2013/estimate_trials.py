"""Means of the root's moves as a search of a position grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.load import load
from ramify.experiments.framework.work import Sums, Work
from ramify.runs.seeds import derive


@dataclass(frozen=True)
class EstimateTrials(Work):
    """Searches of ``agent`` from a position; a trial is one growing search, examined at each budget.

    Sums: ``means``, per move and budget the mean of the move in the search. Every budget must visit every move.
    """

    stored_form = "EstimateTrials(game, position, agent, budgets)"

    game: str
    position: str
    agent: str
    budgets: tuple[int, ...]  # in simulations, increasing

    def texts(self) -> Sequence[str]:
        return (self.game, self.agent)

    def run(self, seed: int, first: int, count: int) -> Sums:
        """Search ``count`` times."""
        state = load(self.game).position(self.position)
        means = {move.name: [0.0] * len(self.budgets) for move in state.moves()}
        for trial in range(first, first + count):
            search = Search(state, self.agent, seed=derive(seed, trial))
            spent = 0
            for place, budget in enumerate(self.budgets):
                for child in search.run(Budget(simulations=budget - spent)).children:
                    means[child.move.name][place] += child.value
                spent = budget
        return {"means": means}
