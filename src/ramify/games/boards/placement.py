"""Stones that may be placed where they have a liberty or capture; shared by Atari Go and Pentalath.

The state has the ``chains`` and the set ``empty`` of points.
"""

from ramify.core.numbers.bits import ZERO, lowest, without_lowest
from ramify.core.numbers.rng import below
from ramify.games.boards.cell_sets import WORD, nth_of
from ramify.games.boards.chains import breathes, captures, press

TRIES = 8  # draws of `any_place` before it looks at all points
NOWHERE = -1


def allowed(rules, state, point, colour):
    """Whether a stone on an empty point captures or has a liberty."""
    if state.open[point] > 0:
        return True
    press(rules, state, point, -1)
    good = breathes(rules, state, point, colour) or captures(rules, state, point, colour)
    press(rules, state, point, 1)
    return good


def places(rules, state, colour, out):
    """Write the points where a stone may be placed; how many."""
    count = 0
    for k in range(rules.words):
        rest = state.empty[k]
        while rest != ZERO:
            out[count] = WORD * k + lowest(rest)
            count += allowed(rules, state, out[count], colour)
            rest = without_lowest(rest)
    return count


def stuck(rules, state, colour):
    """Whether there is no such point."""
    for k in range(rules.words):
        rest = state.empty[k]
        while rest != ZERO:
            if allowed(rules, state, WORD * k + lowest(rest), colour):
                return False
            rest = without_lowest(rest)
    return True


def any_place(rules, state, colour, left, rng):
    """One of them, all equally likely, or NOWHERE: some draws from the ``left`` empty points, then one from all."""
    chosen = NOWHERE
    found = 0
    tries = 0 if left > 0 else TRIES
    k = -1
    rest = ZERO
    while True:
        tries += 1
        if tries <= TRIES:
            point = nth_of(state.empty, below(rng, left))
        else:
            while rest == ZERO:
                k += 1
                if k == rules.words:
                    return chosen
                rest = state.empty[k]
            point = WORD * k + lowest(rest)
            rest = without_lowest(rest)
        if allowed(rules, state, point, colour):
            if tries <= TRIES:
                return point
            found += 1
            if below(rng, found) == 0:
                chosen = point
