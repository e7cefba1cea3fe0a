"""Three players take one, two or three beans from a heap; whoever takes from the heap's last beans keeps its prize.

Results are neither 0 nor 1 and do not add up to a constant, and who takes the last bean of a heap moves again: nothing
here is as in a game for two.
"""

import numpy as np

PLAYERS = 3
MAX_MOVES = 9
HEAPS = 3
BEANS = 4

State = np.dtype([("beans", np.int64, HEAPS), ("prizes", np.int64, PLAYERS), ("mover", np.int64)])


def start(rules, state):
    for heap in range(HEAPS):
        state.beans[heap] = BEANS
    for player in range(PLAYERS):
        state.prizes[player] = 0
    state.mover = 0


def mover(rules, state):
    return state.mover


def over(rules, state):
    return state.beans[0] + state.beans[1] + state.beans[2] == 0


def legal(rules, state, moves):
    """The largest handfuls first, so that the order of generation is not the order of the codes."""
    count = 0
    for taken in range(3, 0, -1):
        for heap in range(HEAPS):
            if taken <= state.beans[heap]:
                moves[count] = 10 * heap + taken
                count += 1
    return count


def play(rules, state, move):
    heap, taken = move // 10, move % 10
    state.beans[heap] -= taken
    if state.beans[heap] == 0:
        state.prizes[state.mover] += heap + 1
    else:
        state.mover = (state.mover + 1) % PLAYERS


def scores(rules, state, out):
    for player in range(PLAYERS):
        out[player] = min(1.0, state.prizes[player] / 5.0)
