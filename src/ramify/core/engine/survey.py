"""Random games, and what they are like: how long, how wide, who wins."""

import numpy as np

from ramify.core.engine.perft import generate
from ramify.core.engine.search import copy_state
from ramify.core.engine.tree import CHANCE
from ramify.core.kernels.compiling import entry
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import below, weighted

SURVEY = np.dtype(
    [
        ("games", np.int64),
        ("plies", np.int64),  # of all games; outcomes of chance are plies
        ("shortest", np.int64),
        ("longest", np.int64),
        ("turns", np.int64),  # positions where a player moved
        ("moves", np.int64),  # legal in those
        ("widest", np.int64),
        ("even", np.int64),  # games in which all players score the same
        ("first", np.float64),  # sum of the first player's scores
        ("squares", np.float64),  # sum of their squares
    ]
)


@entry
def survey(game, root, state, moves_, probabilities_, scores_, rng_, found_, games):
    """Play that many games from ``root`` with uniform moves, and add them to ``found``."""
    moves = array(moves_, game.max_children, np.int64)
    probabilities = array(probabilities_, game.max_children, np.float64)
    scores = array(scores_, game.players, np.float64)
    rng = array(rng_, 1, np.uint64)
    found = record(found_, SURVEY)
    for _ in range(games):
        copy_state(game, state, root)
        plies = 0
        count = generate(game, state, moves_, probabilities_)
        while count > 0:
            if call(game.mover, (game.rules, state)) == CHANCE:
                k = weighted(rng, probabilities, count)
            else:
                k = below(rng, count)
                found.turns += 1
                found.moves += count
                found.widest = max(found.widest, count)
            call(game.play, (game.rules, state, moves[k]))
            plies += 1
            count = generate(game, state, moves_, probabilities_)
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
