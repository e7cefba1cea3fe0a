"""Many positions of a network game at once: a proposition is a bit for each of up to 512 *lanes*.

The bits of one node stand in W words side by side, so one loop over the gates, the same for every game, evaluates all
lanes, W words to an instruction where the processor can. Legal moves come out as a word of lanes for each move;
transposing blocks of 64 times 64 bits makes of them words of moves for each lane.
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
from ramify.ggp.propnet.event_evaluation import GOAL, GOAL_BYTES

WIDE_WORDS = EIGHT  # words: 512 lanes, and 64 bytes, which is what a processor fetches at once

LANES = np.dtype(
    [
        # The network.
        ("bases", np.int64),
        ("roles", np.int64),
        ("moves", np.int64),  # address: the number of each role's first move, and of all moves
        ("first", np.int64),  # the node of the first gate
        ("gates", np.int64),  # address: two literals each
        ("shown", np.int64),  # number of the first gate that is not for legal moves and end
        ("goal", np.int64),  # of the first that is for the next position
        ("end", np.int64),  # of gates
        ("legal", np.int64),  # address: literals
        ("next", np.int64),  # address: literals
        ("terminal", np.int64),  # literal
        ("goals", np.int64),  # address of records; `bit` is the literal
        ("goal_count", np.int64),
        ("legal_words", np.int64),  # address: the word of a lane's legal moves with which each role begins; last: all
        # The lanes.
        ("lanes", np.int64),  # in use
        ("words", np.int64),  # for each node: 1 or WIDE
        ("values", np.int64),  # address: words of each node
        ("following", np.int64),  # address: words of each base proposition
        ("root", np.int64),  # address: where lanes begin; a word of ones or zeros for each base proposition
        ("begins", np.int64),  # address: lanes that are to begin anew
        ("ended", np.int64),  # address: lanes whose game is over
        ("able", np.int64),  # address: the words of legal moves of each lane
        ("counts", np.int64),  # address: of each lane and role
        ("chosen", np.int64),  # address: the move to be made in each lane, or RANDOM_MOVE
        ("block", np.int64),  # address: room for a block to transpose
        ("rng", np.int64),
    ]
)


@jit
def inversion_mask(literal):
    """Ones if a literal is inverted."""
    return ZERO - np.uint64(literal & 1)


@jit
def evaluate(lanes, begin, end):
    """Evaluate some of the gates."""
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
    """A word of a literal."""
    return array(lanes.values + 8 * ((literal >> 1) * lanes.words + w), 1, np.uint64)[0] ^ inversion_mask(literal)


@jit
def transpose(block, words):
    """Transpose blocks of 64 times 64 bits, ``words`` of them, whose words of one row stand side by side."""
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
    """Evaluate what the positions show: which are over, their goals if one is, the legal moves of the others."""
    evaluate(lanes, 0, lanes.shown)
    ended = array(lanes.ended, lanes.words, np.uint64)
    some = ZERO
    for w in range(lanes.words):
        ended[w] = read(lanes, lanes.terminal, w)
        some |= ended[w]
    if list_legal(lanes) or some != ZERO:
        evaluate(lanes, lanes.shown, lanes.goal)


@jit
def load_move_rows(lanes, start, count):
    """Lay down the words of some moves, at most 64, as rows of a block; whether one is legal in some lane."""
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
    """Write the words of legal moves of every lane, and their numbers; whether somebody has none."""
    words = lanes.words
    moves = array(lanes.moves, lanes.roles + 1, np.int64)
    begins = array(lanes.legal_words, lanes.roles + 1, np.int64)
    width = begins[lanes.roles]
    able = array(lanes.able, 64 * words * width, np.uint64)
    rows = array(lanes.block, 64 * words, np.uint64)
    counts = array(lanes.counts, lanes.lanes * lanes.roles, np.int64)
    counts[:] = 0
    for role in range(lanes.roles):
        for at in range(begins[role], begins[role + 1]):
            start = moves[role] + 64 * (at - begins[role])
            if load_move_rows(lanes, start, min(64, moves[role + 1] - start)):
                transpose(lanes.block, words)
            for lane in range(lanes.lanes):
                word = rows[(lane & 63) * words + (lane >> 6)]
                able[lane * width + at] = word
                counts[lane * lanes.roles + role] += popcount(word)
    for k in range(lanes.lanes * lanes.roles):
        if counts[k] == 0:
            return True
    return False


@jit
def nth_legal(lanes, lane, role, n):
    """The n-th legal move of a role in a lane."""
    begins = array(lanes.legal_words, lanes.roles + 1, np.int64)
    words = array(lanes.able + 8 * lane * begins[lanes.roles], begins[lanes.roles], np.uint64)
    at = begins[role]
    while True:
        here = popcount(words[at])
        if n < here:
            first = array(lanes.moves, lanes.roles, np.int64)[role]
            return first + 64 * (at - begins[role]) + nth(words[at], n)
        n -= here
        at += 1


@jit
def write_moves(lanes):
    """Write everybody's moves in all lanes that go on: the chosen one, or one drawn where there is a choice."""
    words = lanes.words
    moves = array(lanes.moves, lanes.roles + 1, np.int64)
    made = array(lanes.values + 8 * words * (1 + lanes.bases), moves[lanes.roles] * words, np.uint64)
    made[:] = ZERO
    begins = array(lanes.begins, words, np.uint64)
    chosen = array(lanes.chosen, lanes.lanes, np.int64)
    counts = array(lanes.counts, lanes.lanes * lanes.roles, np.int64)
    rng = array(lanes.rng, 1, np.uint64)
    for lane in range(lanes.lanes):
        if has(begins[lane >> 6], lane & 63):
            continue
        for role in range(lanes.roles):
            count = counts[lane * lanes.roles + role]
            move = chosen[lane]
            if move == RANDOM_MOVE or move < moves[role] or move >= moves[role + 1]:
                move = nth_legal(lanes, lane, role, below(rng, count) if count > 1 else 0)
            made[move * words + (lane >> 6)] |= bit(lane & 63)


def step(block):
    """Make a move in every lane, or put it back to the beginning, and look at the new positions."""
    lanes = record(block, LANES)
    words = lanes.words
    write_moves(lanes)
    evaluate(lanes, lanes.goal, lanes.end)
    begins = array(lanes.begins, words, np.uint64)
    following = array(lanes.following, lanes.bases * words, np.uint64)
    literals = array(lanes.next, lanes.bases, np.int32)
    root = array(lanes.root, lanes.bases, np.uint64)
    for k in range(lanes.bases):
        literal = np.int64(literals[k])
        line = lanes.values + 8 * words * (literal >> 1)
        if words == 1:
            value = array(line, 1, np.uint64)[0] ^ inversion_mask(literal)
            following[k] = (value & ~begins[0]) | (root[k] & begins[0])
        else:
            select_row(lanes.following + BYTES * k, line, inversion_mask(literal), root[k], lanes.begins)
    copy_bytes(lanes.values + 8 * words, lanes.following, 8 * words * lanes.bases)
    begins[:] = ZERO
    observe_positions(lanes)
    return 0


def begin(block):
    """Put every lane at the beginning, and look."""
    lanes = record(block, LANES)
    words = lanes.words
    root = array(lanes.root, lanes.bases, np.uint64)
    values = array(lanes.values, (1 + lanes.bases) * words, np.uint64)
    values[:words] = ZERO
    for k in range(lanes.bases):
        values[(1 + k) * words : (2 + k) * words] = root[k]
    array(lanes.begins, words, np.uint64)[:] = ZERO
    observe_positions(lanes)
    return 0


@jit
def over(block, lane):
    """Whether the game in a lane is over; also where somebody has no move."""
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
    """Who moves in a lane: the role with a choice, the first where nobody has, SIMULTANEOUS where several have."""
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
    """Write the moves of the one who moves in a lane; how many."""
    lanes = record(block, LANES)
    role = max(mover(block, lane), 0)
    moves = array(moves_, 1 << 20, np.int64)
    begins = array(lanes.legal_words, lanes.roles + 1, np.int64)
    words = array(lanes.able + 8 * lane * begins[lanes.roles], begins[lanes.roles], np.uint64)
    first = array(lanes.moves, lanes.roles, np.int64)[role]
    count = 0
    for at in range(begins[role], begins[role + 1]):
        word = words[at]
        while word != ZERO:
            moves[count] = first + 64 * (at - begins[role]) + lowest(word)
            word = without_lowest(word)
            count += 1
    return count


@jit
def scores(block, lane, out_):
    """Write the goals of a lane whose game is over."""
    lanes = record(block, LANES)
    out = array(out_, lanes.roles, np.float64)
    out[:] = 0.0
    for k in range(lanes.goal_count):
        goal = record(lanes.goals + GOAL_BYTES * k, GOAL)
        if has(read(lanes, goal.bit, lane >> 6), lane & 63):
            out[goal.role] = max(out[goal.role], goal.score)
    return 0


def restart(block, lane):
    """Have a lane begin anew with the next step."""
    lanes = record(block, LANES)
    array(lanes.begins, lanes.words, np.uint64)[lane >> 6] |= bit(lane & 63)
    return 0


def playouts(block, step, each, steps, counts_, totals_):
    """Play at random in all lanes until ``each`` games of every lane have ended, or for so many steps.

    ``step`` is that kernel. Lanes that are quick play on meanwhile: ``counts`` are the games that ended in all, and,
    of the first ``each`` of every lane alone, since those that end early are shorter than most, how many ended and
    their plies. The scores of these are added up; behind the sums ``totals`` has room for the scores of one game.
    Lanes must have begun.
    """
    lanes = record(block, LANES)
    counts = array(counts_, 3, np.int64)
    totals = array(totals_, 2 * lanes.roles, np.float64)
    begins = array(lanes.begins, lanes.words, np.uint64)
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
                begins[lane >> 6] |= bit(lane & 63)
                ended[lane] += 1
                counts[0] += 1
            elif ended[lane] < each:
                counts[2] += 1
        call(step, (block,))
    return 0


KERNELS = (step, begin, over, mover, legal, scores, restart, playouts)


@cache
def lane_kernels():
    """All of them, by name."""
    return {function.__name__: kernel(function) for function in KERNELS}
