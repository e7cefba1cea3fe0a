"""Searches of a position: how often is a best move returned, by budget?

One search grows and is examined each time it reaches one of the ``budgets``. At that moment its tree is exactly that of
a search with that budget and seed: nothing in it depends on the budget, and cutting a search into runs does not matter
(docs/architecture.md). So the figures of one budget come from independent searches; figures of different budgets are
correlated because they share trees. An agent whose search depends on its budget needs a new search for each
(``separate``).
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
    """Searches of ``agent`` from a position; a trial is one search, examined at each budget.

    Sums: ``hits``, per budget the trials that returned one of the ``best`` moves; ``moves``, per budget how often each
    move was returned.
    """

    stored_form = "PositionTrials(game, position, agent, best, budgets, separate)"

    game: str
    position: str  # position text; empty for the initial position
    agent: str
    best: tuple[str, ...]
    budgets: tuple[int, ...]  # in simulations, increasing
    separate: bool = False  # one search per budget

    def texts(self) -> Sequence[str]:
        return (self.game, self.agent)

    def prepare(self) -> None:
        """Compile, and raise for illegal moves or invalid budgets."""
        state, search = self._search()
        names = {move.name for move in state.moves()}
        for move in self.best:
            if move not in names:
                raise RamifyError(f"'{move}' is not a legal move of the position '{self.position}'")
        if list(self.budgets) != sorted(set(self.budgets)) or not self.budgets or self.budgets[0] < 1:
            raise RamifyError(f"invalid budgets {self.budgets}: use increasing whole numbers from 1")
        if search.agent.recommend.extra_budget and not self.separate:
            raise RamifyError(f"{search.agent.recommend.title()} may exceed its budget: pass separate=True")

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
    """Return a search that is reused: its memory is allocated and everything is compiled."""
    loaded = load(game)
    state = loaded.position(position) if position else loaded.initial()
    return state, Search(state, make_agent(agent), seed=0)


clear_between_sessions(_search)


def powers(first: int, last: int) -> tuple[int, ...]:
    """Return the powers of two from 2^first to 2^last."""
    return tuple(2**k for k in range(first, last + 1))
