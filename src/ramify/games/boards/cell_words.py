"""Cell sets for boards of up to 64 cells: one word, cell k is bit k."""

from ramify.core.numbers.bits import ZERO, lowest, nth, nth_bit, popcount, without_lowest
from ramify.core.numbers.rng import below


def list_members(members, out):
    """Write the cells to ``out`` in ascending order. Return their number."""
    count = 0
    while members != ZERO:
        out[count] = lowest(members)
        members = without_lowest(members)
        count += 1
    return count


def random_member(members, rng):
    """Return a uniformly random cell of a non-empty set."""
    return nth(members, below(rng, popcount(members)))


def random_of_four(a, b, c, d, rng):
    """Draw one cell uniformly from four sets. Return four sets, three of them empty: no branch to mispredict."""
    na, nb, nc = popcount(a), popcount(b), popcount(c)
    n = below(rng, na + nb + nc + popcount(d))
    return nth_bit(a, n), nth_bit(b, n - na), nth_bit(c, n - na - nb), nth_bit(d, n - na - nb - nc)
