"""Trials of a search on a position: how often is a best move returned, after so many simulations?

One search grows and is looked at whenever it has had one of the ``budgets``. It is then exactly the tree that a search
with that budget and seed has: nothing in it depends on the budget, and how a search is cut into runs does not matter
(docs/architecture.md). So each budget's figure is that of independent searches; only the figures of different budgets
depend on each other, because they come from the same trees. An agent whose search does depend on its budget is searched
anew for each (``separate``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ramify.agents.agent import agent as make_agent
from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.game import State
from ramify.contract.load import load
from ramify.errors import RamifyError
from ramify.experiments.framework.work import Sums, Work
from ramify.runs.caches import clear_between_sessions
from ramify.runs.seeds import derive


@dataclass(frozen=True)
class PositionTrials(Work):
    """Searches of ``agent`` from a position; a trial is one search, looked at after each of the budgets.

    Sums: ``hits``, for each budget how many trials returned one of the ``best`` moves; ``moves``, how often each move
    was returned.
    """

    stored_form = "PositionTrials(game, position, agent, best, budgets, separate)"

    game: str
    position: str  # as the game writes it; empty for the start
    agent: str
    best: tuple[str, ...]
    budgets: tuple[int, ...]  # in simulations, rising
    separate: bool = False  # a search of its own for each budget

    def texts(self) -> Sequence[str]:
        """The game and the agent."""
        return (self.game, self.agent)

    def prepare(self) -> None:
        """Compile, and refuse what makes no sense."""
        state, search = self._search()
        names = {move.name for move in state.moves()}
        for move in self.best:
            if move not in names:
                raise RamifyError(f"'{move}' is not a legal move of the position '{self.position}'")
        if list(self.budgets) != sorted(set(self.budgets)) or not self.budgets or self.budgets[0] < 1:
            raise RamifyError(f"budgets must be whole numbers from 1 that rise, not {self.budgets}")
        if search.agent.recommend.extra_budget and not self.separate:
            raise RamifyError(
                f"{search.agent.recommend.title()} goes on beyond its budget, so its trials must be separate searches"
            )

    def _search(self) -> tuple[State, Search]:
        return _search(self.game, self.position, self.agent)

    def run(self, seed: int, first: int, count: int) -> Sums:
        """Search ``count`` times."""
        state, search = self._search()
        names = {move.code: move.name for move in state.moves()}
        hits = [0] * len(self.budgets)
        moves: dict[str, list[int]] = {}
        for trial in range(first, first + count):
            spent = 0
            for place, budget in enumerate(self.budgets):
                if place == 0 or self.separate:
                    spent = 0
                    search.restart(state, derive(seed, trial, budget) if self.separate else derive(seed, trial))
                name = names[search.choose(Budget(simulations=budget - spent))]
                spent = budget
                moves.setdefault(name, [0] * len(self.budgets))[place] += 1
                hits[place] += name in self.best
        return {"hits": hits, "moves": moves}


@lru_cache(maxsize=64)
def _search(game: str, position: str, agent: str) -> tuple[State, Search]:
    """A search that is used again: its memory is there, and everything is compiled."""
    loaded = load(game)
    state = loaded.position(position) if position else loaded.initial()
    return state, Search(state, make_agent(agent), seed=0)


clear_between_sessions(_search)


def powers(first: int, last: int) -> tuple[int, ...]:
    """Powers of two, from 2^first to 2^last."""
    return tuple(2**k for k in range(first, last + 1))
