"""Queen moves of Amazons, and random draws among them."""

import numpy as np

from ramify.core.numbers.bits import ZERO, lowest, nth, popcount, without_lowest
from ramify.core.numbers.rng import below
from ramify.games.amazons.queen_lines import rays, toggle

QUEENS = 4


def step(state, origin, to):
    """Move one of the mover's queens; ``state.queens`` stays sorted."""
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
    first = QUEENS * player
    queens = state.queens
    return (
        np.int64(queens[first]),
        np.int64(queens[first + 1]),
        np.int64(queens[first + 2]),
        np.int64(queens[first + 3]),
    )


def random_move(rules, state, rng, max_arrows):
    """Return a uniformly random move, or -1 if no move is legal. ``max_arrows`` bounds any queen's number of arrows.

    Rejection sampling: draw a pair (queen, target) uniformly, then a number below ``max_arrows``. If she has fewer
    arrows there, draw both again, so each pair is chosen in proportion to its arrows.
    """
    if state.shooter >= 0:
        arrows = rays(rules, state, state.shooter, state.shooter)
        return np.int64(rules.square_at[state.shooter, nth(arrows, below(rng, popcount(arrows)))])
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
        to = np.int64(rules.square_at[queen, nth(targets, n - before)])
        if rules.plies == 2:
            return 65536 * queen + 256 * to
        arrows = rays(rules, state, to, queen)
        n = below(rng, max_arrows)
        if n < popcount(arrows):
            return 65536 * queen + 256 * to + np.int64(rules.square_at[to, nth(arrows, n)])
    return -1


def published_heuristic(rules, state, rng):
    """Playout move of Pepels et al. (2014): the first queen that can move, from a random one on; her moves are uniform.

    With plies=2 a target is chosen in proportion to its arrows, so the distribution of whole moves is the same.
    """
    if state.shooter >= 0:
        return random_move(rules, state, rng, rules.max_targets)
    start = below(rng, QUEENS)
    for k in range(QUEENS):
        queen = np.int64(state.queens[QUEENS * state.mover + (start + k) % QUEENS])
        targets = rays(rules, state, queen, queen)
        while targets != ZERO:
            to = np.int64(rules.square_at[queen, nth(targets, below(rng, popcount(targets)))])
            arrows = rays(rules, state, to, queen)
            n = below(rng, rules.max_targets)
            if n < popcount(arrows):
                arrow = np.int64(rules.square_at[to, nth(arrows, n)]) if rules.plies == 1 else 0
                return 65536 * queen + 256 * to + arrow
    return -1


def published_moves(rules, state, rng, moves, weights):
    """List the moves that ``published_heuristic`` draws from: those of the first queen that can move, all alike.

    With plies=2 a target weighs as much as it has arrows.
    """
    if state.shooter >= 0:
        return list_squares(
            rules, rays(rules, state, state.shooter, state.shooter), state.shooter, 0, 0, moves, weights
        )
    start = below(rng, QUEENS)
    count = 0
    for k in range(QUEENS):
        queen = np.int64(state.queens[QUEENS * state.mover + (start + k) % QUEENS])
        targets = rays(rules, state, queen, queen)
        while targets != ZERO:
            to = np.int64(rules.square_at[queen, lowest(targets)])
            targets = without_lowest(targets)
            arrows = rays(rules, state, to, queen)
            if rules.plies == 1:
                count = list_squares(rules, arrows, to, 65536 * queen + 256 * to, count, moves, weights)
            else:
                moves[count] = 65536 * queen + 256 * to
                weights[count] = popcount(arrows)
                count += 1
        if count > 0:
            break
    return count


def list_squares(rules, squares, origin, code, count, moves, weights):
    """Append ``code`` plus each of the squares seen from ``origin``, with weight 1. Return the new count."""
    while squares != ZERO:
        moves[count] = code + np.int64(rules.square_at[origin, lowest(squares)])
        weights[count] = 1.0
        squares = without_lowest(squares)
        count += 1
    return count
