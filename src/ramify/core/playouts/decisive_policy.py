"""Decisive and anti-decisive moves (Teytaud and Teytaud 2010): win at once, or prevent the next player's win."""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, copy_bytes, record
from ramify.core.playouts.context import PLAYOUT_CONTEXT, PlayoutPolicy
from ramify.core.playouts.random_policy import uniform

DECISIVE_BLOCK = np.dtype(
    [
        ("win", np.int64),  # the game's kernel that finds a winning move
        ("try_block", np.int64),
        ("anti", np.int64),  # whether to avoid moves that let the next player win
        ("then", np.int64),  # the fallback policy; 0: uniform
        ("block", np.int64),
        # To test the next player's moves.
        ("after", np.int64),  # buffer for a state
        ("replies", np.int64),  # buffer for moves
        ("play", np.int64),  # kernels of the game
        ("mover", np.int64),
        ("legal", np.int64),
        ("copy", np.int64),  # 0: copy the bytes
        ("state_bytes", np.int64),
    ]
)


@jit
def decisive(block_, context_):
    """Return the index of the first winning move, else that of ``anti_decisive``."""
    block = record(block_, DECISIVE_BLOCK)
    context = record(context_, PLAYOUT_CONTEXT)
    k = call(block.win, (context.rules, context.state, block.try_block, context.moves, context.count, context.mover))
    return k if k >= 0 else anti_decisive(block_, context_)


@jit
def explore(block_, _context):
    """Whether a uniform move will do: no fallback policy, and no anti-decisive moves."""
    block = record(block_, DECISIVE_BLOCK)
    return block.then == 0 and not block.anti


@jit
def ask_fallback(block, context_):
    return uniform(0, context_) if block.then == 0 else call(block.then, (block.block, context_))


@jit
def anti_decisive(block_, context_):
    """Return the index of the fallback policy's move, avoiding moves that let the next player win at once.

    A losing move is taken off the list and the fallback is asked again. If no move is safe, its first choice is played.
    """
    block = record(block_, DECISIVE_BLOCK)
    context = record(context_, PLAYOUT_CONTEXT)
    k = ask_fallback(block, context_)
    if not block.anti:
        return k
    moves = array(context.moves, context.count, np.int64)
    move_classes = array(context.move_classes, context.count, np.int64)
    first, last = k, context.count - 1
    first_move = moves[k]
    while allows_win(block, context, moves[k]):
        put_last(moves, k, last)
        if context.classified and context.move_classes != context.moves:
            put_last(move_classes, k, last)
        if context.count == 1:
            first = 0
            while moves[first] != first_move:
                first += 1
            return first
        context.count -= 1
        k = ask_fallback(block, context_) if context.count > 1 else np.int64(0)
    return k


@jit
def put_last(values, k, last):
    """Move ``values[k]`` to ``last``, shifting those between."""
    value = values[k]
    for j in range(k, last):
        values[j] = values[j + 1]
    values[last] = value


@jit
def allows_win(block, context, move):
    """Whether the move lets another player win at once."""
    if block.copy:
        call(block.copy, (block.after, context.state))
    else:
        copy_bytes(block.after, context.state, block.state_bytes)
    call(block.play, (context.rules, block.after, move))
    count = call(block.legal, (context.rules, block.after, block.replies))
    if count == 0:
        return False
    mover = call(block.mover, (context.rules, block.after))
    if mover < 0 or mover == context.mover:
        return False
    return call(block.win, (context.rules, block.after, block.try_block, block.replies, count, mover)) >= 0


DECISIVE = PlayoutPolicy(decisive)
ANTI_DECISIVE = PlayoutPolicy(anti_decisive, explore, winning=True)


@cache
def choosing_kernel():
    return kernel(decisive)
