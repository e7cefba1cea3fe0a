"""From an index function to a kernel that picks a child.

A policy is a plain function that gives the index of one arm; its arguments are the quantities it needs, by name,
and then its constants with their defaults:

======  ==========================================================
``N``   visits of the node
``K``   number of arms
``n``   visits of the arm, at least 1
``m``   mean reward of the arm
``s``   standard deviation of the arm's rewards
======  ==========================================================

The arm of highest index is taken; equal indices are decided by an even draw. Arms never visited have the index
``fpu`` (first-play urgency).
"""

import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from pathlib import Path

import numpy as np

from ramify.core import sources
from ramify.core.compiling import Kernel, jit, kernel
from ramify.core.pointers import array, records
from ramify.core.rng import below
from ramify.core.tree import NODE
from ramify.errors import RamifyError

QUANTITIES = ("N", "K", "n", "m", "s")

SELECT = """
def {name}(children, squares_, count, visits, constants_, rng, scratch):
    arms = records(children, count, NODE)
    squares = array(squares_, count, float64)
    constants = array(constants_, CONSTANTS, float64)
    indices = array(scratch, count, float64)
    fpu = constants[0]
    N = float64(visits)
    K = float64(count)
    best = -inf
    ties = 0
    winner = 0
    for k in range(count):
        n = float64(arms[k].visits)
        if n == 0.0:
            value = fpu
        else:
            m = arms[k].total / n
            {deviation}
            value = index({arguments})
        indices[k] = value
        if value > best:
            best = value
            ties = 1
            winner = k
        elif value == best:
            ties += 1
    if ties <= 1:
        return winner
    chosen = below(array(rng, 1, uint64), ties)
    for k in range(winner, count):
        if indices[k] == best:
            if chosen == 0:
                return k
            chosen -= 1
    return winner
"""


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
