"""Bit-parallel evaluation of a propnet: up to 512 positions (*lanes*), one bit each per node.

Each node has W consecutive words (1 or 8), so one pass over the gates evaluates all lanes, W words per instruction
where the CPU allows. Legal moves come out as one word of lanes per move; 64 x 64 bit transposes turn them into one
word of moves per lane.
"""

from functools import cache

import numpy as np

from ramify.core.kernels.compiling import jit, kernel
from ramify.core.kernels.pointers import array, call, copy_bytes, record, table
from ramify.core.numbers.bits import ZERO, bit, has, lowest, nth, popcount, without_lowest
from ramify.core.numbers.rng import below
from ramify.core.search.tree import SIMULTANEOUS
from ramify.core.shapes.batch_slot import RANDOM_MOVE
from ramify.core.vector.words import BYTES, EIGHT, and_rows, copy_row, select_row, swap_bits
from ramify.errors import BadGoalError
from ramify.ggp.propnet.event_evaluation import GOAL, GOAL_BYTES

WIDE_WORDS = EIGHT  # words: 512 lanes, one cache line

LANES = np.dtype(
    [
        # The propnet.
        ("bases", np.int64),
        ("roles", np.int64),
        ("moves", np.int64),  # address: first move of each role, then the number of moves
        ("first", np.int64),  # node of the first gate
        ("gates", np.int64),  # address: two literals each
        ("position_gates_end", np.int64),  # end of the gates for legal moves and the end of the game
        ("goal_gates_end", np.int64),  # end of the gates for goals
        ("end", np.int64),  # number of gates
        ("legal", np.int64),  # address: literals
        ("next", np.int64),  # address: literals
        ("terminal", np.int64),  # literal
        ("goals", np.int64),  # address of GOAL records; `bit` is the literal
        ("goal_count", np.int64),
        ("legal_words", np.int64),  # address: first word of each role in a lane's legal moves; last: their number
        # The lanes.
        ("lanes", np.int64),  # in use
        ("words", np.int64),  # per node: 1 or WIDE_WORDS
        ("values", np.int64),  # address: `words` words per node
        ("next_values", np.int64),  # address: `words` words per base proposition
        ("root", np.int64),  # address: start position; a word of ones or zeros per base proposition
        ("restarting", np.int64),  # address: lanes that restart at the next step
        ("ended", np.int64),  # address: lanes in a terminal position
        ("legal_by_lane", np.int64),  # address: words of legal moves, lane by lane
        ("counts", np.int64),  # address: number of legal moves by lane and role
        ("chosen", np.int64),  # address: the next move of each lane, or RANDOM_MOVE
        ("block", np.int64),  # address: scratch for a block to transpose
        ("rng", np.int64),  # address of a generator's state
    ]
)


@jit
def inversion_mask(literal):
    """Return all ones if a literal is inverted, else zero."""
    return ZERO - np.uint64(literal & 1)


@jit
def evaluate(lanes, begin, end):
    """Evaluate the gates from ``begin`` to ``end`` in all lanes."""
    gates = table(lanes.gates, lanes.end, 2, np.int32)
    first = lanes.first
    if lanes.words == 1:
        line = array(lanes.values, first + lanes.end, np.uint64)
        for gate in range(begin, end):
            a = np.int64(gates[gate, 0])
            b = np.int64(gates[gate, 1])
            line[first + gate] = (line[a >> 1] ^ inversion_mask(a)) & (line[b >> 1] ^ inversion_mask(b))
        return
    values = lanes.values
    target = values + BYTES * (first + begin)
    for gate in range(begin, end):
        a = np.int64(gates[gate, 0])
        b = np.int64(gates[gate, 1])
        and_rows(target, values + BYTES * (a >> 1), values + BYTES * (b >> 1), inversion_mask(a), inversion_mask(b))
        target += BYTES


@jit
def read(lanes, literal, w):
    """Return word ``w`` of a literal."""
    return array(lanes.values + 8 * ((literal >> 1) * lanes.words + w), 1, np.uint64)[0] ^ inversion_mask(literal)


@jit
def transpose(block, words):
    """Transpose ``words`` interleaved 64 x 64 bit blocks in place; word w of row k is at ``k * words + w``."""
    if words == 1:
        column = array(block, 64, np.uint64)
        width = 32
        mask = np.uint64(0x00000000FFFFFFFF)
        while width:
            shift = np.uint64(width)
            for k in range(64):
                if k & width == 0:
                    swap = ((column[k] >> shift) ^ column[k | width]) & mask
                    column[k | width] ^= swap
                    column[k] ^= swap << shift
            width >>= 1
            mask ^= mask << np.uint64(width)
        return
    width = 32
    mask = np.uint64(0x00000000FFFFFFFF)
    while width:
        shift = np.uint64(width)
        for begin in range(0, 64, 2 * width):
            for k in range(begin, begin + width):
                swap_bits(block + BYTES * k, block + BYTES * (k + width), shift, mask)
        width >>= 1
        mask ^= mask << np.uint64(width)


@jit
def observe_positions(lanes):
    """Evaluate legal moves and the end of the game in all lanes; goals only if a lane's game is over."""
    evaluate(lanes, 0, lanes.position_gates_end)
    ended = array(lanes.ended, lanes.words, np.uint64)
    any_ended = ZERO
    for w in range(lanes.words):
        ended[w] = read(lanes, lanes.terminal, w)
        any_ended |= ended[w]
    if list_legal(lanes) or any_ended != ZERO:
        evaluate(lanes, lanes.position_gates_end, lanes.goal_gates_end)


@jit
def load_move_rows(lanes, start, count):
    """Copy the words of up to 64 moves to rows of the block. Return whether any is legal in any lane."""
    words = lanes.words
    rows = array(lanes.block, 64 * words, np.uint64)
    legal = array(lanes.legal + 4 * start, count, np.int32)
    some = ZERO
    for k in range(count):
        literal = np.int64(legal[k])
        line = lanes.values + 8 * words * (literal >> 1)
        if words == 1:
            rows[k] = array(line, 1, np.uint64)[0] ^ inversion_mask(literal)
            some |= rows[k]
        else:
            some |= copy_row(lanes.block + BYTES * k, line, inversion_mask(literal))
    for k in range(count * words, 64 * words):
        rows[k] = ZERO
    return some != ZERO


@jit
def list_legal(lanes):
    """Write the words and the numbers of legal moves of every lane. Return whether a role in a lane has none."""
    words = lanes.words
    moves = array(lanes.moves, lanes.roles + 1, np.int64)
    starts = array(lanes.legal_words, lanes.roles + 1, np.int64)
    width = starts[lanes.roles]
    legal_by_lane = array(lanes.legal_by_lane, 64 * words * width, np.uint64)
    rows = array(lanes.block, 64 * words, np.uint64)
    counts = array(lanes.counts, lanes.lanes * lanes.roles, np.int64)
    counts[:] = 0
    for role in range(lanes.roles):
        for at in range(starts[role], starts[role + 1]):
            start = moves[role] + 64 * (at - starts[role])
            if load_move_rows(lanes, start, min(64, moves[role + 1] - start)):
                transpose(lanes.block, words)
            for lane in range(lanes.lanes):
                word = rows[(lane & 63) * words + (lane >> 6)]
                legal_by_lane[lane * width + at] = word
                counts[lane * lanes.roles + role] += popcount(word)
    for k in range(lanes.lanes * lanes.roles):
        if counts[k] == 0:
            return True
    return False


@jit
def nth_legal(lanes, lane, role, n):
    """Return the n-th legal move of a role in a lane, from 0."""
    starts = array(lanes.legal_words, lanes.roles + 1, np.int64)
    words = array(lanes.legal_by_lane + 8 * lane * starts[lanes.roles], starts[lanes.roles], np.uint64)
    at = starts[role]
    while True:
        here = popcount(words[at])
        if n < here:
            first = array(lanes.moves, lanes.roles, np.int64)[role]
            return first + 64 * (at - starts[role]) + nth(words[at], n)
        n -= here
        at += 1


@jit
def write_moves(lanes):
    """Write the joint moves of all lanes that do not restart: the chosen move, else a random one."""
    words = lanes.words
    moves = array(lanes.moves, lanes.roles + 1, np.int64)
    made = array(lanes.values + 8 * words * (1 + lanes.bases), moves[lanes.roles] * words, np.uint64)
    made[:] = ZERO
    restarting = array(lanes.restarting, words, np.uint64)
    chosen = array(lanes.chosen, lanes.lanes, np.int64)
    counts = array(lanes.counts, lanes.lanes * lanes.roles, np.int64)
    rng = array(lanes.rng, 1, np.uint64)
    for lane in range(lanes.lanes):
        if has(restarting[lane >> 6], lane & 63):
            continue
        for role in range(lanes.roles):
            count = counts[lane * lanes.roles + role]
            move = chosen[lane]
            if move == RANDOM_MOVE or move < moves[role] or move >= moves[role + 1]:
                move = nth_legal(lanes, lane, role, below(rng, count) if count > 1 else 0)
            made[move * words + (lane >> 6)] |= bit(lane & 63)


def step(block):
    """Advance every lane by a joint move, or restart it, and evaluate the new positions."""
    lanes = record(block, LANES)
    words = lanes.words
    write_moves(lanes)
    evaluate(lanes, lanes.goal_gates_end, lanes.end)
    restarting = array(lanes.restarting, words, np.uint64)
    next_values = array(lanes.next_values, lanes.bases * words, np.uint64)
    literals = array(lanes.next, lanes.bases, np.int32)
    root = array(lanes.root, lanes.bases, np.uint64)
    for k in range(lanes.bases):
        literal = np.int64(literals[k])
        line = lanes.values + 8 * words * (literal >> 1)
        if words == 1:
            value = array(line, 1, np.uint64)[0] ^ inversion_mask(literal)
            next_values[k] = (value & ~restarting[0]) | (root[k] & restarting[0])
        else:
            select_row(lanes.next_values + BYTES * k, line, inversion_mask(literal), root[k], lanes.restarting)
    copy_bytes(lanes.values + 8 * words, lanes.next_values, 8 * words * lanes.bases)
    restarting[:] = ZERO
    observe_positions(lanes)
    return 0


def begin(block):
    """Put every lane at the start position and evaluate it."""
    lanes = record(block, LANES)
    words = lanes.words
    root = array(lanes.root, lanes.bases, np.uint64)
    values = array(lanes.values, (1 + lanes.bases) * words, np.uint64)
    values[:words] = ZERO
    for k in range(lanes.bases):
        values[(1 + k) * words : (2 + k) * words] = root[k]
    array(lanes.restarting, words, np.uint64)[:] = ZERO
    observe_positions(lanes)
    return 0


@jit
def over(block, lane):
    """Return whether a lane's game is over: its position is terminal, or a role has no legal move."""
    lanes = record(block, LANES)
    if has(array(lanes.ended, lanes.words, np.uint64)[lane >> 6], lane & 63):
        return 1
    counts = array(lanes.counts + 8 * lane * lanes.roles, lanes.roles, np.int64)
    for role in range(lanes.roles):
        if counts[role] == 0:
            return 1
    return 0


@jit
def mover(block, lane):
    """Return the role to move in a lane: the one with a choice, 0 if none has, SIMULTANEOUS if several have."""
    lanes = record(block, LANES)
    counts = array(lanes.counts + 8 * lane * lanes.roles, lanes.roles, np.int64)
    found = -1
    for role in range(lanes.roles):
        if counts[role] > 1:
            if found >= 0:
                return SIMULTANEOUS
            found = role
    return max(found, 0)


def legal(block, lane, moves_):
    """Write the legal moves of the role to move in a lane. Return their number."""
    lanes = record(block, LANES)
    role = max(mover(block, lane), 0)
    moves = array(moves_, 1 << 20, np.int64)
    starts = array(lanes.legal_words, lanes.roles + 1, np.int64)
    words = array(lanes.legal_by_lane + 8 * lane * starts[lanes.roles], starts[lanes.roles], np.uint64)
    first = array(lanes.moves, lanes.roles, np.int64)[role]
    count = 0
    for at in range(starts[role], starts[role + 1]):
        word = words[at]
        while word != ZERO:
            moves[count] = first + 64 * (at - starts[role]) + lowest(word)
            word = without_lowest(word)
            count += 1
    return count


@jit
def scores(block, lane, out_):
    """Write the scores of a lane whose game is over."""
    lanes = record(block, LANES)
    out = array(out_, lanes.roles, np.float64)
    out[:] = 0.0
    for k in range(lanes.goal_count):
        goal = record(lanes.goals + GOAL_BYTES * k, GOAL)
        if has(read(lanes, goal.bit, lane >> 6), lane & 63):
            if goal.score > 1.0:
                raise BadGoalError
            out[goal.role] = max(out[goal.role], goal.score)
    return 0


def restart(block, lane):
    """Return a lane to the start position at the next ``step``."""
    lanes = record(block, LANES)
    array(lanes.restarting, lanes.words, np.uint64)[lane >> 6] |= bit(lane & 63)
    return 0


def playouts(block, step, each, steps, counts_, totals_):
    """Play random games until every lane has finished ``each`` of them, or ``steps`` run out. Call ``begin`` first.

    ``step`` is the kernel's address. Fast lanes keep playing, but only the first ``each`` games of a lane count:
    including the extra ones would favour short games. ``counts``: finished games, counted games, plies of counted
    games. ``totals``: summed scores of counted games, then scratch for one game.
    """
    lanes = record(block, LANES)
    counts = array(counts_, 3, np.int64)
    totals = array(totals_, 2 * lanes.roles, np.float64)
    restarting = array(lanes.restarting, lanes.words, np.uint64)
    array(lanes.chosen, lanes.lanes, np.int64)[:] = RANDOM_MOVE
    ended = np.zeros(lanes.lanes, np.int64)
    while counts[1] < each * lanes.lanes and steps > 0:
        steps -= 1
        for lane in range(lanes.lanes):
            if over(block, lane):
                if ended[lane] < each:
                    scores(block, lane, totals_ + 8 * lanes.roles)
                    for role in range(lanes.roles):
                        totals[role] += totals[lanes.roles + role]
                    counts[1] += 1
                restarting[lane >> 6] |= bit(lane & 63)
                ended[lane] += 1
                counts[0] += 1
            elif ended[lane] < each:
                counts[2] += 1
        call(step, (block,))
    return 0


KERNELS = (step, begin, over, mover, legal, scores, restart, playouts)


@cache
def lane_kernels():
    """Return the compiled kernels by name."""
    return {function.__name__: kernel(function) for function in KERNELS}
