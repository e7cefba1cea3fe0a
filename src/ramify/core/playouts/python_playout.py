"""Playouts of Python games by a playout policy."""

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
    """Play to the end or the ply limit. Return the plies, or -1 - plies if cut. Matches ``contract.playout_source``."""
    block = record(block_, PLAYOUT_BLOCK)
    episode = record(episode_, EPISODE)
    context = record(block.context, PLAYOUT_CONTEXT)
    moves = array(context.moves, context.max_moves, np.int64)
    rng = array(episode.rng, 1, np.uint64)
    begin(block, context, episode, rules, state)
    made = 0
    plies = 0
    count = list_moves(block, context)
    while count > 0:
        if plies == episode.limit:
            plies = -1 - plies
            break
        k = np.int64(0)
        if context.mover == CHANCE:
            k = np.int64(weighted(rng, array(context.probabilities, count, np.float64), count))
        elif count > 1:
            context.count = count
            k = call(block.choose, (block.block, block.context))
        if context.classified and context.mover >= 0:
            made = record_move(context, episode, made, context.mover, moves[k])
        call(block.play, (rules, state, moves[k]))
        plies += 1
        count = list_moves(block, context)
        if context.out_of_range:
            plies = -1 - plies
            break
    episode.trace_length = made
    return plies


@jit
def list_moves(block, context):
    """List the moves of the position; they are their own classes. Return their number; 0 if the game is over."""
    context.mover = call(block.mover, (context.rules, context.state))
    if context.mover == CHANCE:
        return call(block.chance_outcomes, (context.rules, context.state, context.moves, context.probabilities))
    count = call(block.legal, (context.rules, context.state, context.moves))
    if context.mover == SIMULTANEOUS and count > 0:
        raise SimultaneousError
    if context.classified:
        note_out_of_range(context, count)
    return count


@cache
def playing_kernel():
    return kernel(play_out)
