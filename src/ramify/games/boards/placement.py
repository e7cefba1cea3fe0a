"""Legal placements in games with chains (see ``chains``), and uniform draws among them.

``points`` is a set of empty points. ``may(rules, state, point, colour)`` is the game's rule: whether a stone of that
colour may be placed there.
"""

from ramify.core.numbers.bits import ZERO, lowest, without_lowest
from ramify.core.numbers.rng import below
from ramify.games.boards.cell_sets import WORD, nth_of
from ramify.games.boards.chains import captures, has_liberty, update_neighbours

MAX_TRIES = 8  # draws by rejection before `random_placement` scans all points
NOWHERE = -1


def allowed(rules, state, point, colour):
    """Rule of Atari Go and Pentalath: a stone must capture or have a liberty."""
    if state.pseudo_liberties[point] > 0:
        return True
    update_neighbours(rules, state, point, -1)
    good = has_liberty(rules, state, point, colour) or captures(rules, state, point, colour)
    update_neighbours(rules, state, point, 1)
    return good


def placements(rules, state, points, colour, may, out):
    """Write the legal points to ``out``. Return their number."""
    count = 0
    for k in range(rules.words):
        rest = points[k]
        while rest != ZERO:
            out[count] = WORD * k + lowest(rest)
            count += may(rules, state, out[count], colour)
            rest = without_lowest(rest)
    return count


def has_no_placement(rules, state, points, colour, may):
    """Whether a stone of this colour may be placed nowhere."""
    for k in range(rules.words):
        rest = points[k]
        while rest != ZERO:
            if may(rules, state, WORD * k + lowest(rest), colour):
                return False
            rest = without_lowest(rest)
    return True


def random_placement(rules, state, points, left, colour, may, passes, rng):
    """Return a uniformly random legal point, or NOWHERE.

    Draws from the ``left`` members of ``points`` up to MAX_TRIES times, then scans them all (reservoir sampling).
    ``passes=1``: NOWHERE is a pass, as likely as each legal point. ``passes=0``: NOWHERE means no point is legal.
    """
    chosen = NOWHERE
    found = passes
    tries = 0 if left > 0 else MAX_TRIES
    k = -1
    rest = ZERO
    while True:
        tries += 1
        if tries <= MAX_TRIES:
            n = below(rng, left + passes)
            if passes > 0 and n == left:
                return NOWHERE
            point = nth_of(points, n)
        else:
            while rest == ZERO:
                k += 1
                if k == rules.words:
                    return chosen
                rest = points[k]
            point = WORD * k + lowest(rest)
            rest = without_lowest(rest)
        if may(rules, state, point, colour):
            if tries <= MAX_TRIES:
                return point
            found += 1
            if below(rng, found) == 0:
                chosen = point
