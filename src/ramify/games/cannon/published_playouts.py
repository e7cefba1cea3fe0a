"""Playouts of Cannon as in the program of Pepels et al. (2014)."""

from ramify.core.numbers.rng import below
from ramify.games.cannon.board import EMPTY, SHOT, candidate, candidates, leaves_open, takes_town

TOWN_ATTACKED, STRUCK, QUIET = 2, 1, 0  # how urgent a move is
SHOTS = 4  # a shot counts as much as so many captures


def published_heuristic(rules, state, rng):
    """Take the town; else attack it by a step, a retreat or a slide; else capture or shoot, weights 1 and 4; else any.

    One pass over all moves, which keeps each of the most urgent kind with the chance that its weight is due.
    """
    player = state.plies & 1
    if state.plies >= 2:
        taking = takes_town(rules, state, player)
        if taking >= 0:
            return taking
    chosen, urgent, seen = -1, QUIET, 0
    for n in range(candidates(rules, state, player)):
        move = candidate(rules, state, player, n)
        if move < 0:
            continue
        urgency, weight = QUIET, 1
        if move >= SHOT:
            urgency, weight = STRUCK, SHOTS
        elif state.plies >= 2 and state.points[move & 255] != EMPTY:
            urgency = STRUCK
        elif state.plies >= 2 and leaves_open(rules, state, player, move, 1 - player):
            urgency = TOWN_ATTACKED
        if urgency > urgent:
            urgent, seen = urgency, 0
        if urgency == urgent:
            seen += weight
            if below(rng, seen) < weight:
                chosen = move
    return chosen
