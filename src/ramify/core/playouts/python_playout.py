"""Playouts move by move of games that are Python objects."""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, record
from ramify.core.numbers.rng import weighted
from ramify.core.playouts.context import PLAYOUT_BLOCK, PLAYOUT_CONTEXT, begin, note_out_of_range, record_move
from ramify.core.search.episode import EPISODE
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import SimultaneousError


def play_out(rules, state, episode_, block_):
    """Play to the end, or to the limit; the plies, or -1 less them. The same as the playouts of compiled games."""
    block = record(block_, PLAYOUT_BLOCK)
    episode = record(episode_, EPISODE)
    spot = record(block.spot, PLAYOUT_CONTEXT)
    moves = array(spot.moves, spot.most, np.int64)
    rng = array(episode.rng, 1, np.uint64)
    begin(block, spot, episode, rules, state)
    made = 0
    plies = 0
    count = list_moves(block, spot)
    while count > 0:
        if plies == episode.limit:
            plies = -1 - plies
            break
        k = np.int64(0)
        if spot.mover == CHANCE:
            k = np.int64(weighted(rng, array(spot.probabilities, count, np.float64), count))
        elif count > 1:
            spot.count = count
            k = call(block.choose, (block.block, block.spot))
        if spot.classified and spot.mover >= 0:
            made = record_move(spot, episode, made, spot.mover, moves[k])
        call(block.play, (rules, state, moves[k]))
        plies += 1
        count = list_moves(block, spot)
        if spot.strange:
            plies = -1 - plies
            break
    episode.made = made
    return plies


@jit
def list_moves(block, spot):
    """List the moves of the next, whose classes they are themselves; how many, 0 when the game is over."""
    spot.mover = call(block.mover, (spot.rules, spot.state))
    if spot.mover == CHANCE:
        return call(block.chance_outcomes, (spot.rules, spot.state, spot.moves, spot.probabilities))
    count = call(block.legal, (spot.rules, spot.state, spot.moves))
    if spot.mover == SIMULTANEOUS and count > 0:
        raise SimultaneousError
    if spot.classified:
        note_out_of_range(spot, count)
    return count


@cache
def playing_kernel():
    """The playout."""
    return kernel(play_out)
