"""Choose by the means of moves (``core.engine.averages``): MAST."""

from functools import cache

from ramify.core.engine.averages import AVERAGES, explore, gather, rated
from ramify.core.engine.turns import SPOT, UNDECIDED, Chooser
from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import record


@jit
def early(block, spot):
    """A random place now and then."""
    return explore(record(block, AVERAGES), record(spot, SPOT))


@jit
def row(block_, spot_):
    """Where the means of the mover's moves stand, or their weights."""
    averages = record(block_, AVERAGES)
    spot = record(spot_, SPOT)
    return (averages.weights if averages.weights else averages.means) + 8 * spot.mover * spot.classes


@jit
def by_averages(block, spot):
    """A place by the means of the moves."""
    return rated(record(block, AVERAGES), record(spot, SPOT))


def whole(block, spot):
    """All of it, for playouts around it."""
    k = early(block, spot)
    if k == UNDECIDED:
        gather(record(spot, SPOT), row(block, spot))
        k = by_averages(block, spot)
    return k


BY_AVERAGES = Chooser(by_averages, early, row)


@cache
def choosing_kernel():
    """All of it."""
    return kernel(whole)
