"""Perft: count move sequences with the compiled ``core.tools.perft``."""

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

import numpy as np

from ramify.contract.game import MOVE_BUFFER_SLACK, State
from ramify.core.kernels.pointers import address
from ramify.core.tools.perft import perft as core_perft
from ramify.errors import RamifyError
from ramify.numpy_scalars import accepting_numpy

WAIT_SECONDS = 1.0  # between two looks at Ctrl-C, where the system does not wake the thread that waits

MAX_DEPTH = 10_000


@accepting_numpy
def perft(state: State, depth: int) -> list[int]:
    """Return the numbers of sequences of 1, 2, ... ``depth`` plies from ``state``.

    A chance outcome is a ply; so is a joint move.
    """
    if depth < 1:
        raise RamifyError(f"depth must be at least 1, not {depth}")
    if depth > MAX_DEPTH:
        raise RamifyError(f"depth must be at most {MAX_DEPTH:,}, not {depth}")
    game = state.game.for_search()
    states = np.zeros((depth + 1) * game.state_bytes, np.uint8)
    moves = np.zeros((depth + 1) * game.players * game.max_children + MOVE_BUFFER_SLACK, np.int64)
    joint = np.zeros(game.players, np.int64)
    probabilities = np.zeros(game.max_children + MOVE_BUFFER_SLACK)
    counts = np.zeros(depth + 1, np.int64)
    game.to_address(state.data, address(states))
    addresses = (address(array) for array in (states, moves, probabilities))
    with game.explaining_errors():
        in_thread(core_perft, game.table(), *addresses, depth, address(joint), address(counts))
    return [int(count) for count in counts[1:]]


def in_thread(function: Callable[..., object], *arguments: Any) -> None:
    """Call compiled code that may take long in a thread, because Ctrl-C cannot interrupt it in this one."""
    errors: list[BaseException] = []

    def work() -> None:
        try:
            function(*arguments)
        except BaseException as error:  # noqa: BLE001  (re-raised in the caller's thread)
            errors.append(error)

    # The context carries NumPy's error state, which matters without compilation.
    thread = threading.Thread(target=copy_context().run, args=(work,), daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(WAIT_SECONDS)
    if errors:
        raise errors[0]
