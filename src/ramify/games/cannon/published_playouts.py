"""Playouts of Cannon as in the program of Pepels et al. (2014)."""

from ramify.core.numbers.rng import below
from ramify.games.cannon.board import EMPTY, SHOT, candidate, candidates, leaves_open, takes_town

TOWN_ATTACKED, CAPTURE, QUIET = 2, 1, 0  # urgencies
SHOT_WEIGHT = 4  # weight of a shot; a capture has weight 1


def published_heuristic(rules, state, rng):
    """Capture the town; else attack it by step, retreat or slide; else capture or shoot (weights 1, 4); else any move.

    One pass over all moves draws among the most urgent ones by weight (weighted reservoir sampling).
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
            urgency, weight = CAPTURE, SHOT_WEIGHT
        elif state.plies >= 2 and state.points[move & 255] != EMPTY:
            urgency = CAPTURE
        elif state.plies >= 2 and leaves_open(rules, state, player, move, 1 - player):
            urgency = TOWN_ATTACKED
        if urgency > urgent:
            urgent, seen = urgency, 0
        if urgency == urgent:
            seen += weight
            if below(rng, seen) < weight:
                chosen = move
    return chosen
