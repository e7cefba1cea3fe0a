"""Loops of a selection kernel over the arms: one at a time, or four at a time if the function is vectorizable.

The source for one arm is the same in both. It calls functions such as ``visits_at(children, k)``, which return one
number or four, depending on the loop's names.
"""

from typing import Any, NamedTuple

from ramify.core.kernels.compiling import JIT, is_users
from ramify.core.numbers.draws import argmax, argmax_without_nan
from ramify.core.vector import four_arms, one_arm, vectorizable
from ramify.core.vector.lanes import where

# Both need `rng`, `scratch` and `count`, and write the arms' indices to scratch; {index} is the index of arm k.
ONE_BY_ONE = """indices = array(scratch, count, float64)
    for k in range(count):
        indices[k] = {index}
    return argmax(rng, indices, count)"""

# Up to eight indices are compared in registers.
FOUR_BY_FOUR = """k = 0
    values = only_first({index}, count)
    write(scratch, values)
    if count <= WIDTH:
        return random_set_bit(rng, equal(values, largest(values)))
    k = WIDTH
    more = only_first({index}, count - WIDTH)
    write(scratch + 8 * WIDTH, more)
    best = max(values, more)
    if count <= 2 * WIDTH:
        top = largest(best)
        return random_set_bit(rng, equal(values, top) | equal(more, top) << uint64(WIDTH))
    for k in range(2 * WIDTH, count, WIDTH):
        values = only_first({index}, count - k)
        write(scratch + 8 * k, values)
        best = max(best, values)
    return argmax_of_lanes(rng, scratch, count, largest(best))"""

SHARED_NAMES = (
    *("WIDTH", "visits_at", "total_at", "chance_at", "number_at", "class_at", "ln_at"),
    *("nothing_known", "broadcast", "only_first", "largest"),
)
FOUR_ARM_NAMES = ("write", "equal", "random_set_bit", "argmax_of_lanes")


class ArmLoop(NamedTuple):
    """Source of a loop over arms, and the namespace of that source and of the arm's."""

    source: str
    names: dict[str, Any]


def one_at_a_time(function):
    """Return the loop for arbitrary functions. An index of a user's function that is NaN raises an error."""
    names = {name: getattr(one_arm, name) for name in SHARED_NAMES}
    return ArmLoop(ONE_BY_ONE, {**names, "where": where, "argmax": argmax_for(function)})


def four_at_a_time(function, kinds):
    """Return the vectorized loop for parameters of these kinds, or None if the function is not vectorizable.

    An index of a user's function that is NaN raises an error.
    """
    if not JIT or not vectorizable.is_vectorizable(function, kinds):
        return None
    names = {name: getattr(four_arms, name) for name in (*SHARED_NAMES, *FOUR_ARM_NAMES)}
    if is_users(function):
        names["only_first"] = four_arms.only_first_without_nan
    return ArmLoop(FOUR_BY_FOUR, {**names, "where": where})


def argmax_for(function):
    """Return the ``argmax`` for the indices of a function."""
    return argmax_without_nan if is_users(function) else argmax
