"""Statistics of random games: length, branching, scores."""

import numpy as np

from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import below, weighted
from ramify.core.search.steps import copy_state
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.core.tools.perft import generate, play_ply

SURVEY = np.dtype(
    [
        ("games", np.int64),
        ("plies", np.int64),  # of all games; chance outcomes are plies
        ("shortest", np.int64),
        ("longest", np.int64),
        ("turns", np.int64),  # number of players' turns
        ("moves", np.int64),  # sum of legal moves at these turns
        ("widest", np.int64),
        ("even", np.int64),  # games in which all scores are equal
        ("first", np.float64),  # sum of the first player's scores
        ("squares", np.float64),  # sum of their squares
    ]
)


@jit
def record_choice(found, count):
    """Count a turn with ``count`` legal moves."""
    found.turns += 1
    found.moves += count
    found.widest = max(found.widest, count)


@entry
def survey(game, root, state, moves, probabilities_, joint, scores_, rng_, found_, games):
    """Play ``games`` uniform random games from ``root`` and add their statistics to ``found_``."""
    counts = np.zeros(game.players, np.int64)
    probabilities = array(probabilities_, game.max_children, np.float64)
    scores = array(scores_, game.players, np.float64)
    rng = array(rng_, 1, np.uint64)
    found = record(found_, SURVEY)
    for _ in range(games):
        copy_state(game, state, root)
        plies = 0
        mover = call(game.mover, (game.rules, state))
        count = generate(game, state, mover, moves, probabilities_, counts)
        while count > 0:
            if mover == CHANCE:
                k = weighted(rng, probabilities, count)
            elif mover == SIMULTANEOUS:
                k = np.int64(0)
                place = 1
                for player in range(game.players):
                    k += place * below(rng, counts[player])
                    place *= counts[player]
                    record_choice(found, counts[player])
            else:
                k = below(rng, count)
                record_choice(found, count)
            play_ply(game, state, mover, moves, counts, joint, k)
            plies += 1
            mover = call(game.mover, (game.rules, state))
            count = generate(game, state, mover, moves, probabilities_, counts)
        call(game.scores, (game.rules, state, scores_))
        even = 1
        for player in range(1, game.players):
            if scores[player] != scores[0]:
                even = 0
        found.even += even
        found.first += scores[0]
        found.squares += scores[0] * scores[0]
        found.shortest = plies if found.games == 0 else min(found.shortest, plies)
        found.longest = max(found.longest, plies)
        found.plies += plies
        found.games += 1
    return 0
