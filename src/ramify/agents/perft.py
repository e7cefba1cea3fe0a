"""Counting move sequences of a position with the compiled ``core.perft``."""

import numpy as np

from ramify.core.perft import perft as core_perft
from ramify.core.tree import EVERYBODY
from ramify.errors import RamifyError
from ramify.games.game import State


def perft(state: State, depth: int) -> list[int]:
    """The number of sequences of 1, 2, ... ``depth`` plies from ``state``; outcomes of chance count as plies."""
    if depth < 1:
        raise RamifyError(f"the depth must be at least 1, not {depth}")
    game = state.game
    if not state.over and state.to_move == EVERYBODY:
        raise RamifyError(f"in {game.name} everybody moves at once, which perft does not count")
    states = np.zeros((depth + 1) * game.state_bytes, np.uint8)
    moves = np.zeros((depth + 1) * game.max_children, np.int64)
    probabilities = np.zeros(game.max_children)
    counts = np.zeros(depth + 1, np.int64)
    game.put(state.data, states.ctypes.data)
    core_perft(
        game.table(), states.ctypes.data, moves.ctypes.data, probabilities.ctypes.data, depth, counts.ctypes.data
    )
    game.check_for_error()
    return [int(count) for count in counts[1:]]
