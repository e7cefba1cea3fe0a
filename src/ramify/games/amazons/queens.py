"""How queens of the Amazons move, and draws among their moves."""

import numpy as np

from ramify.core.numbers.bits import ZERO, nth, popcount
from ramify.core.numbers.rng import below
from ramify.games.amazons.queen_lines import rays, toggle

QUEENS = 4


def step(state, origin, to):
    """Move a queen of the mover, whose queens stay in rising order."""
    toggle(state, origin)
    toggle(state, to)
    a, b, c, d = queens_of(state, state.mover)
    a = to if a == origin else a
    b = to if b == origin else b
    c = to if c == origin else c
    d = to if d == origin else d
    a, b, c, d = min(a, b), max(a, b), min(c, d), max(c, d)
    a, b, c, d = min(a, c), min(b, d), max(a, c), max(b, d)
    first = QUEENS * state.mover
    state.queens[first] = a
    state.queens[first + 1] = min(b, c)
    state.queens[first + 2] = max(b, c)
    state.queens[first + 3] = d


def queens_of(state, player):
    """The squares of a player's queens."""
    first = QUEENS * player
    queens = state.queens
    return (
        np.int64(queens[first]),
        np.int64(queens[first + 1]),
        np.int64(queens[first + 2]),
        np.int64(queens[first + 3]),
    )


def random_move(rules, state, rng, most):
    """A move, all equally likely, or -1 if there is none; no queen has more than ``most`` arrows to choose from.

    A target of a queen is drawn, all equally likely, then a number below ``most``: if she has fewer arrows there, both
    are drawn anew. So each target comes as often as it has arrows.
    """
    if state.shooter >= 0:
        arrows = rays(rules, state, state.shooter, state.shooter)
        return np.int64(rules.beyond[state.shooter, nth(arrows, below(rng, popcount(arrows)))])
    q, r, s, t = queens_of(state, state.mover)
    a, b, c, d = rays(rules, state, q, q), rays(rules, state, r, r), rays(rules, state, s, s), rays(rules, state, t, t)
    two = popcount(a)
    three = two + popcount(b)
    four = three + popcount(c)
    total = four + popcount(d)
    while total > 0:
        n = below(rng, total)
        queen, targets, before = (q, a, 0) if n < two else (r, b, two)
        queen, targets, before = (queen, targets, before) if n < three else (s, c, three)
        queen, targets, before = (queen, targets, before) if n < four else (t, d, four)
        to = np.int64(rules.beyond[queen, nth(targets, n - before)])
        if rules.plies == 2:
            return 65536 * queen + 256 * to
        arrows = rays(rules, state, to, queen)
        n = below(rng, most)
        if n < popcount(arrows):
            return 65536 * queen + 256 * to + np.int64(rules.beyond[to, nth(arrows, n)])
    return -1


def published_heuristic(rules, state, rng):
    """As Pepels et al. (2014) play out: the first queen with a move, from a random one on; all her moves are as likely.

    With two plies a move she gets to a square as often as she has arrows there, so that it comes to the same.
    """
    if state.shooter >= 0:
        return random_move(rules, state, rng, rules.most)
    start = below(rng, QUEENS)
    for k in range(QUEENS):
        queen = np.int64(state.queens[QUEENS * state.mover + (start + k) % QUEENS])
        targets = rays(rules, state, queen, queen)
        while targets != ZERO:
            to = np.int64(rules.beyond[queen, nth(targets, below(rng, popcount(targets)))])
            arrows = rays(rules, state, to, queen)
            n = below(rng, rules.most)
            if n < popcount(arrows):
                arrow = np.int64(rules.beyond[to, nth(arrows, n)]) if rules.plies == 1 else 0
                return 65536 * queen + 256 * to + arrow
    return -1
