"""Survey: statistics of random games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from ramify.contract.game import MOVE_BUFFER_SLACK, State
from ramify.core.kernels.pointers import address
from ramify.core.numbers.rng import generator
from ramify.core.tools.survey import SURVEY
from ramify.core.tools.survey import survey as core_survey
from ramify.errors import RamifyError
from ramify.numerals import reject_endless
from ramify.statistics.means import mean_half_width

CHUNK_SECONDS = 0.1


@dataclass(frozen=True)
class Survey:
    """Random games from one position: lengths, branching and results. Chance outcomes count as plies."""

    games: int
    plies: float  # mean length
    shortest: int
    longest: int
    branching: float  # mean number of legal moves over all turns of players
    widest: int  # maximum number of legal moves
    first: float  # mean score of the first player
    half_width: float  # of its 95 % interval
    even: float  # share of games in which all players have the same score; 1 for a single player


def survey(state: State, games: int = 1000, seed: int = 1, progress: Callable[[int], object] | None = None) -> Survey:
    """Play random games from ``state``. ``progress`` is called about every 0.1 s with the number of games played."""
    if games < 1:
        raise RamifyError(f"games must be at least 1, not {games}")
    reject_endless("games", games)
    if state.over:
        raise RamifyError("the game is over in this position")
    game = state.game.for_search()
    root, working = np.zeros(game.state_bytes, np.uint8), np.zeros(game.state_bytes, np.uint8)
    size = game.max_children + MOVE_BUFFER_SLACK
    moves, probabilities = np.zeros(game.players * size, np.int64), np.zeros(size)
    joint = np.zeros(game.players, np.int64)
    scores, rng, found = np.zeros(game.players), generator(seed), np.zeros(1, SURVEY)
    game.to_address(state.data, address(root))
    addresses = [address(one) for one in (root, working, moves, probabilities, joint, scores, rng, found)]
    played, chunk = 0, 1
    while played < games:
        began = perf_counter()
        with game.explaining_errors():
            core_survey(game.table(), *addresses, min(chunk, games - played))
        played = int(found["games"][0])
        if progress is not None:
            progress(played)
        chunk = max(1, min(2 * chunk, int(chunk * CHUNK_SECONDS / max(perf_counter() - began, 1e-6))))
    return _summary({name: found[name][0].item() for name in SURVEY.names or ()})


def _summary(found: dict[str, float]) -> Survey:
    games, first = int(found["games"]), found["first"] / found["games"]
    spread = max(found["squares"] / games - first * first, 0.0)
    return Survey(
        games=games,
        plies=found["plies"] / games,
        shortest=int(found["shortest"]),
        longest=int(found["longest"]),
        branching=found["moves"] / max(found["turns"], 1),
        widest=int(found["widest"]),
        first=first,
        half_width=float(mean_half_width(spread, games)),
        even=found["even"] / games,
    )
