"""From an index function to a kernel that picks a child.

A policy is a plain function that gives the index of one arm; its arguments are the quantities it needs, by name,
and then its constants with their defaults:

=======  ==========================================================
``N``    visits of the node, at least 1
``lnN``  its natural logarithm
``K``    number of arms
``n``    visits of the arm, at least 1
``m``    mean reward of the arm
``s``    standard deviation of the arm's rewards
=======  ==========================================================

The arm of highest index is taken; equal indices are decided by an even draw. Arms never visited have the index
``fpu`` (first-play urgency). The loop over the arms has no branch, so that LLVM computes four indices at a time (a
simulation of Hex takes half the time of a loop that branches on unvisited arms); an index is therefore also computed,
and thrown away, for arms never visited, as if they had been visited once.
"""

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from ramify.core import sources
from ramify.core.compiling import Kernel, jit, kernel
from ramify.core.logs import ln
from ramify.core.pointers import array, records
from ramify.core.rng import below
from ramify.core.tree import NODE
from ramify.errors import RamifyError

QUANTITIES = ("lnN", "N", "K", "n", "m", "s")

SELECT = """
def {name}(children, squares_, count, visits, constants_, rng, scratch):
    arms = records(children, count, NODE)
    squares = array(squares_, count, float64)
    constants = array(constants_, CONSTANTS, float64)
    indices = array(scratch, count, float64)
    fpu = constants[0]
    N = float64(visits)
    lnN = ln(N)
    K = float64(count)
    if fpu >= URGENT:
        unvisited = first_play(arms, count, array(rng, 1, uint64))
        if unvisited >= 0:
            return unvisited
    for k in range(count):
        visited = arms[k].visits
        n = float64(max(visited, 1))
        m = arms[k].total / n
        {deviation}
        value = index({arguments})
        indices[k] = fpu if visited == 0 else value
    return argmax(indices, count, array(rng, 1, uint64))
"""

URGENT = 10_000.0  # from this first-play urgency on, an unvisited arm comes before every other


@jit
def first_play(arms: Any, count: int, rng: Any) -> int:
    """An unvisited arm by an even draw, or -1 if all have been visited."""
    unvisited = 0
    for k in range(count):
        unvisited += arms[k].visits == 0
    if unvisited == 0:
        return -1
    chosen = below(rng, unvisited) if unvisited > 1 else 0
    k = 0
    while chosen > 0 or arms[k].visits != 0:
        chosen -= arms[k].visits == 0
        k += 1
    return k


@jit
def argmax(values: Any, count: int, rng: Any) -> int:
    """The place of the largest value; equal ones are decided by an even draw. One pass where no two are equal."""
    best = values[0]
    winner = 0
    equal = 0
    for k in range(1, count):
        value = values[k]
        equal |= value == best
        better = value > best
        winner = k if better else winner
        best = value if better else best
    if equal == 0:
        return winner
    ties = 0
    for k in range(count):
        ties += values[k] == best
    if ties == 1:
        return winner
    chosen = below(rng, ties)
    k = 0
    while chosen > 0 or values[k] != best:
        chosen -= values[k] == best
        k += 1
    return k


@jit
def deviation(squares: float, n: float, m: float) -> float:
    """Standard deviation from a sum of squares, a count and a mean; rounding never makes it imaginary."""
    return sqrt(max(squares / n - m * m, 0.0))


@dataclass(frozen=True)
class Policy:
    """A selection policy: its index function and what that needs."""

    name: str
    function: Callable[..., float]
    constants: dict[str, float]
    quantities: tuple[str, ...]
    file: str

    @property
    def needs_squares(self) -> bool:
        """Whether sums of squared rewards must be kept."""
        return "s" in self.quantities

    @cached_property
    def kernel(self) -> Kernel:
        """The compiled choice among children; see ``core.search.Plan``."""
        module = sys.modules[self.function.__module__]
        sources.make_compilable(module)
        unique = f"{Path(self.file).stem}_{self.name}_select_{sources.digest(module)[:12]}"
        namespace = {
            "__name__": self.function.__module__,
            "index": jit(self.function),
            "records": records,
            "array": array,
            "below": below,
            "deviation": deviation,
            "NODE": NODE,
            "CONSTANTS": 1 + len(self.constants),
            "float64": np.float64,
            "uint64": np.uint64,
            "inf": np.inf,
            "ln": ln,
            "URGENT": URGENT,
            "first_play": first_play,
            "argmax": argmax,
        }
        passed = [*self.quantities, *(f"constants[{1 + k}]" for k in range(len(self.constants)))]
        source = SELECT.format(
            name=unique,
            deviation="s = deviation(squares[k], n, m)" if self.needs_squares else "",
            arguments=", ".join(passed),
        )
        exec(compile(source, self.file, "exec"), namespace)  # noqa: S102
        made: Kernel = kernel(namespace[unique])
        return made


def policy(function: Callable[..., float]) -> Policy:
    """Read a policy off its index function."""
    parameters = inspect.signature(function).parameters
    constants = {name: float(p.default) for name, p in parameters.items() if p.default is not p.empty}
    quantities = tuple(name for name in parameters if name not in constants)
    unknown = [name for name in quantities if name not in QUANTITIES]
    if unknown:
        raise RamifyError(
            f"policy '{function.__name__}' asks for '{unknown[0]}'; a policy may ask for {', '.join(QUANTITIES)},"
            " and its constants need a default"
        )
    return Policy(function.__name__, function, constants, quantities, inspect.getsourcefile(function) or "")
