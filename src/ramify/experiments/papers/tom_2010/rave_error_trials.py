"""How wrong RAVE's values are: the AMAF values of a search compared with much longer searches, or with playouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ramify.agents.budgets.budget import Budget
from ramify.agents.search.search import Search
from ramify.contract.game import State
from ramify.contract.load import load
from ramify.errors import RamifyError
from ramify.experiments.framework.work import Sums, Work
from ramify.runs.caches import clear_between_sessions
from ramify.runs.seeds import derive

ROLES = {"best": -1, "second": -2, "worst": 0}  # places in the order of searched values
MIN_MOVES = 3
MAX_GAMES = 1000  # random games that are tried for a position

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RaveErrorTrials(Work):
    """Positions after ``depth`` random moves; a trial is one position.

    RAVE's values come from a search of ``agent``. The reference, whose root tries all moves equally often, searches
    twice: one search ranks the moves, and the other gives their values, so that the best move's value is not too high
    because it was chosen. The error of a move is its AMAF value minus its searched value; its *own* error is its error
    minus the mean error of the position's other moves. Sums of means over the moves of a position:

    - ``error``: the errors; ``above``: how many are positive; ``moves``: number of moves
    - ``square``: squares of the errors; ``own_square``: of their differences from the position's mean error; both
      without the reference's noise
    - ``covariance`` of AMAF and searched values, and ``variance`` of the searched values, without noise
    - ``regret``: searched value of the best move minus that of the move with the highest AMAF value
    - by role in the order of searched values: ``errors``, ``own`` errors and AMAF ``values``
    """

    stored_form = "RaveErrorTrials(game, depth, agent, reference, simulations, per_move)"

    game: str
    depth: int
    agent: str
    reference: str
    simulations: int  # of the agent's search
    per_move: int  # simulations of a reference search, per move

    def texts(self) -> Sequence[str]:
        return (self.game, self.agent, self.reference)

    def run(self, seed: int, first: int, count: int) -> Sums:
        total: dict[str, float] = {}
        for trial in range(first, first + count):
            state = self._position(derive(seed, trial))
            for name, value in self._measure(state, derive(seed, trial, "search")).items():
                total[name] = total.get(name, 0.0) + value
        return dict(total)

    def _position(self, seed: int) -> State:
        """Play random moves, again if the game ends or fewer than three moves are left."""
        rng = np.random.default_rng(seed)
        for _ in range(MAX_GAMES):
            state = load(self.game).initial()
            for _ in range(self.depth):
                if state.over:
                    break
                moves = state.moves()
                state = state.play(moves[int(rng.integers(len(moves)))])
            if not state.over and len(state.moves()) >= MIN_MOVES:
                return state
        raise RamifyError(f"no game of '{self.game}' had a choice after {self.depth} random moves: use a smaller depth")

    def _measure(self, state: State, seed: int) -> dict[str, float]:
        rave = _search(self.game, self.agent)
        rave.restart(state, derive(seed, 0))
        rave.choose(Budget(simulations=self.simulations))
        counts, totals = rave.workers[0].view.amaf()
        known = counts > 0  # later moves need not have occurred
        values = totals[known] / counts[known]
        one, other = (self._searched(state, derive(seed, 1 + k))[known] for k in range(2))
        return compare(values, one, other)

    def _searched(self, state: State, seed: int) -> Floats:
        """Return the searched values of the moves."""
        search = _search(self.game, self.reference)
        search.restart(state, seed)
        search.choose(Budget(simulations=self.per_move * len(state.moves())))
        return search.statistics()[1]


def compare(values: Floats, one: Floats, other: Floats) -> dict[str, float]:
    """Compare AMAF values with two independent estimates of the searched values (see ``RaveErrorTrials``)."""
    errors = [values - one, values - other]
    apart_errors = [error - error.mean() for error in errors]
    own = [error * len(values) / (len(values) - 1) for error in apart_errors]
    apart, one_apart, other_apart = (part - part.mean() for part in (values, one, other))
    mean_error = (errors[0] + errors[1]) / 2
    found = {
        "moves": len(values),
        "error": mean_error.mean(),
        "above": np.mean(mean_error > 0),
        "square": np.mean(errors[0] * errors[1]),
        "own_square": np.mean(apart_errors[0] * apart_errors[1]),
        "covariance": np.mean(apart * (one_apart + other_apart)) / 2,
        "variance": np.mean(one_apart * other_apart),
    }
    favourite = int(np.argmax(values))
    regrets = [by[int(np.argmax(to_rank))] - by[favourite] for by, to_rank in ((one, other), (other, one))]
    found["regret"] = np.mean(regrets)
    for role, place in ROLES.items():
        ranks = [int(np.argsort(by, kind="stable")[place]) for by in (other, one)]  # each ranked by the other estimate
        found[f"errors {role}"] = np.mean([error[move] for error, move in zip(errors, ranks, strict=True)])
        found[f"own {role}"] = np.mean([error[move] for error, move in zip(own, ranks, strict=True)])
        found[f"values {role}"] = np.mean([values[move] for move in ranks])
    return {name: round(float(value), 9) for name, value in found.items()}


@lru_cache(maxsize=16)
def _search(game: str, agent: str) -> Search:
    """Return a search that is reused: its memory is allocated and everything is compiled."""
    return Search(load(game).initial(), agent, seed=0)


clear_between_sessions(_search)
