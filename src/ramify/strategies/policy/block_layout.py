"""Layout of a policy's block of memory, and the quantities that its functions may ask for."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

MEMORY = 16  # numbers that a policy may keep per search, and as many per game

# A policy's block: settings, addresses of the arrays it may read, and its numbers per game and per search. Its
# constants follow, by name (``block_type``).
BLOCK = np.dtype(
    [
        ("fpu", np.float64),  # first-play urgency
        ("players", np.int64),
        ("logs", np.int64),  # address of core.numbers.logs.TABLE
        ("nodes", np.int64),  # address of the tree; then of the columns beside it:
        ("squares", np.int64),
        ("kept", np.int64),
        ("amaf", np.int64),
        ("stride", np.int64),  # length of a row of ``kept``
        ("offset", np.int64),  # the policy's first row of ``kept``
        ("rng", np.int64),  # address of the generator
        ("scratch", np.int64),  # address of SCRATCH arrays
        ("episode", np.int64),  # address of the simulation's record
        ("raw", np.int64),  # address of the game's scores, before a reward changed them
        # Only for policies that ask for move classes (``core.hooks.move_classes``):
        ("class_of", np.int64),  # column of move classes
        ("classes", np.int64),  # length of a table by move class
        ("by_class", np.int64),  # address of these tables
        ("made", np.int64),  # address of the simulation's moves, preceded by their number
        ("game_memory", np.float64, MEMORY),
        ("memory", np.float64, MEMORY),
    ]
)
MEMORY_AT = BLOCK.itemsize - 8 * MEMORY  # in bytes: it is the last field
GAME_MEMORY_AT = MEMORY_AT - 8 * MEMORY  # directly before it
CONSTANT_PREFIX = "constant_"  # a constant may have the same name as a field above


COLUMN = "column_"  # prefix of a backup's column, in a function's parameters and in the block


def block_type(constants: Iterable[str], columns: Iterable[str] = ()) -> np.dtype[np.void]:
    """Return the dtype of the block of a policy with these constants that reads these columns of a backup."""
    return _block_type(tuple(constants), tuple(columns))


@lru_cache
def _block_type(constants: tuple[str, ...], columns: tuple[str, ...]) -> np.dtype[np.void]:
    addresses = ((COLUMN + name, np.int64) for name in columns)
    return np.dtype([*BLOCK.descr, *((CONSTANT_PREFIX + name, np.float64) for name in constants), *addresses])


MANY_ARMS = 256  # with more arms, most of them unvisited, an unvisited arm is found by rejection sampling
URGENT = 10_000.0  # fpu from which unvisited arms always come first; the default of agents
SCRATCH = 7  # scratch arrays of one number per arm: indices or work, and one for each of ARRAYS and JOINT_QUANTITIES

# Quantities by the form of the function that may ask for them; docs/policies.md explains them.
AMAF_QUANTITIES = ("S", "R")
MEMORIES = ("memory", "game_memory")
ARM_QUANTITIES = ("n", "lnn", "m", "t", "s", "P", "move_class", *AMAF_QUANTITIES)
NODE_QUANTITIES = ("N", "lnN", "K", "lnK", "root")
INDEX = (*NODE_QUANTITIES, *ARM_QUANTITIES, "m_max", "t_max", "m_all", "fpu", "rng", *MEMORIES)
ARRAYS = ("visits", "means", "deviations", "priors")
JOINT_QUANTITIES = ("visits_met", "means_met")
OF_CLASSES = ("move_class", "move_classes", "moves_made")
CHOICE = (*NODE_QUANTITIES, *ARRAYS, "move_classes", "fpu", "rng", *MEMORIES, "work")
FILLING = (*(q for q in CHOICE if q not in ("fpu", "work")), "indices")
CANDIDATES = ("N", "lnN", "K")
LEARNING = (
    *("N", "K", "k", "reward", "raw", "leaf", "mover", "scores", *ARRAYS, *JOINT_QUANTITIES),
    *("move_classes", "moves_made", "rng", *MEMORIES, "work"),
)
