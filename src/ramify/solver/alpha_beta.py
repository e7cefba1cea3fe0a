"""The solver's loop: null-window alpha-beta with a hash table and an explicit stack, which can be paused and resumed.

A run answers one question about the position at the bottom of the stack: can player 0 force a score of at least
``question``? (The scores of two players add up to 1, so the other player tries to prevent that.) Every position has
*bounds*, ``lo <= value <= hi``, on player 0's score under perfect play. A question is answered once ``lo >= question``
or ``hi < question``. Bounds come only from finished subtrees, so each rests on a finite proof and holds in every line,
even if positions can repeat.

Without a ply limit, a position that repeats on its own line stops the run (REPEATED); such a game is solved with a
limit. Positions at the limit keep the bounds they have, which may leave the question open.

All children are probed before one is searched: terminal positions and table entries often decide at once. The others
are searched in the order of ``solver.move_ordering``. Bounds are stored in ``solver.hash_table``; ``solver.memory``
defines the memory.
"""

import numpy as np

from ramify.core.kernels.compiling import entry, jit
from ramify.core.kernels.pointers import array, call, copy_bytes, record, records
from ramify.core.search.tree import CHANCE, SIMULTANEOUS
from ramify.errors import BadMoveCountError
from ramify.solver.hash_table import find, hash_of, store
from ramify.solver.memory import (
    BUCKET,
    CONTROL,
    DONE,
    ENTRY,
    FRAME,
    LEVELS,
    MET_CHANCE,
    MET_SIMULTANEOUS,
    NO_HASH,
    NO_LIMIT,
    NOT_CONSTANT_SUM,
    REPEATED,
    RUNNING,
    TOO_DEEP,
)
from ramify.solver.move_ordering import credit, next_move, ordering_score


@entry
def solve(game, memory, nodes):
    """Search until the question is answered or the total ``nodes`` is reached. Return the status."""
    control = record(memory.control, CONTROL)
    frames = records(memory.frames, LEVELS, FRAME)
    table = records(memory.table, max(1, memory.buckets * BUCKET), ENTRY)
    if control.level < 0:
        control.level = 0
        open_position(game, memory, control, frames, table)
    while control.status == RUNNING and control.nodes < nodes:
        frame = frames[control.level]
        if frame.left == 0 or decided(frame, control.question):
            close_position(game, memory, control, frames, table)
        else:
            control.level += 1
            if control.level == LEVELS:
                control.status = TOO_DEEP
                break
            control.max_depth = max(control.max_depth, control.level)
            make_move(game, memory, control, next_move(game, memory, control, frame), control.level - 1)
            open_position(game, memory, control, frames, table)
    return control.status


@jit
def make_move(game, memory, control, move, level):
    """Write the position after a move of ``level`` to ``level + 1``."""
    here = memory.states + level * memory.stride
    below = here + memory.stride
    if game.copy == 0:
        copy_bytes(below, here, game.state_bytes)
    else:
        call(game.copy, (below, here))
    call(game.play, (game.rules, below, move))
    control.nodes += 1


@jit
def decided(frame, question):
    """Whether a child has decided the question in favour of the mover."""
    return frame.lo >= question if frame.mover == 0 else frame.hi < question


@jit
def merge_bounds(frame, move, lo, hi, question):
    """Merge a child's bounds into the position's: maximum if player 0 moves, else minimum."""
    if frame.mover == 0:
        if frame.lo < question and (hi > frame.hi or lo > frame.lo or frame.best < 0):
            frame.best = move
        frame.lo = max(frame.lo, lo)
        frame.hi = max(frame.hi, hi)
    else:
        if frame.hi >= question and (hi < frame.hi or lo < frame.lo or frame.best < 0):
            frame.best = move
        frame.lo = min(frame.lo, lo)
        frame.hi = min(frame.hi, hi)


@jit
def score_of(game, memory, control, state):
    """Return player 0's terminal score. Sets NOT_CONSTANT_SUM if the scores are invalid."""
    scores = array(memory.scores, game.players, np.float64)
    call(game.scores, (game.rules, state, memory.scores))
    score = scores[0]
    if not 0.0 <= score <= 1.0 or (game.players == 2 and abs(score + scores[1] - 1.0) > 1e-9):
        control.status = NOT_CONSTANT_SUM
    return score


@jit
def list_moves(game, memory, control, state, mover, moves):
    """List the moves of a position. Return their number; 0 if the game is over."""
    if mover == SIMULTANEOUS:
        if not call(game.over, (game.rules, state)):
            control.status = MET_SIMULTANEOUS
        return 0
    if mover == CHANCE:
        if call(game.chance_outcomes, (game.rules, state, moves, memory.probabilities)) > 0:
            control.status = MET_CHANCE
        return 0
    count = call(game.legal, (game.rules, state, moves))
    if count < 0 or count > game.max_children:
        raise BadMoveCountError
    return count


@jit
def open_position(game, memory, control, frames, table):
    """Open the position at ``control.level``: list its moves, look it up, and probe its children."""
    level = control.level
    state = memory.states + level * memory.stride
    frame = frames[level]
    path = array(memory.path, LEVELS, np.uint64)
    frame.mover = call(game.mover, (game.rules, state))
    count = list_moves(game, memory, control, state, frame.mover, memory.moves + level * game.max_children * 8)
    frame.key, frame.check = hash_of(game, memory, state)
    frame.began = control.nodes
    frame.best = -1
    frame.left = 0
    frame.known_lo = 0.0
    frame.known_hi = 1.0
    frame.lo = frame.hi = 0.0 if frame.mover == 0 else 1.0
    path[level] = frame.key
    if control.limit == NO_LIMIT and memory.hashing != NO_HASH:
        for k in range(level):
            if path[k] == frame.key:
                control.status = REPEATED
    if control.status == RUNNING:
        place = find(memory, table, frame.key, frame.check, state)
        preferred = -1
        if place >= 0:
            frame.known_lo = table[place].lo
            frame.known_hi = table[place].hi
            preferred = np.int64(table[place].move)
        if level > 0 and (frame.known_lo >= control.question or frame.known_hi < control.question):
            control.level = level - 1  # a sibling has led here too
            merge_bounds(frames[level - 1], frames[level - 1].move, frame.known_lo, frame.known_hi, control.question)
        else:
            probe_children(game, memory, control, frame, table, count, preferred)


@jit
def probe_children(game, memory, control, frame, table, count, preferred):
    """Merge every child that needs no search; keep the others in the list with their ordering scores."""
    level = control.level
    moves = array(memory.moves + level * game.max_children * 8, game.max_children, np.int64)
    order = array(memory.order + level * game.max_children * 8, game.max_children, np.int64)
    child = memory.states + (level + 1) * memory.stride
    left = 0
    plies = control.limit - level - 1  # left below a child
    for k in range(count):
        move = moves[k]
        make_move(game, memory, control, move, level)
        mover = call(game.mover, (game.rules, child))
        replies = list_moves(game, memory, control, child, mover, memory.replies)
        if control.status != RUNNING:
            return
        if replies == 0:
            score = score_of(game, memory, control, child)
            merge_bounds(frame, move, score, score, control.question)
        else:
            lo = 0.0
            hi = 1.0
            searched = 0
            if memory.buckets > 0:
                key, check = hash_of(game, memory, child)
                place = find(memory, table, key, check, child)
                if place >= 0:
                    lo = table[place].lo
                    hi = table[place].hi
                    if table[place].number == control.number:
                        searched = np.int64(table[place].depth)
            if lo >= control.question or hi < control.question or plies <= searched:
                merge_bounds(frame, move, lo, hi, control.question)
            else:
                moves[left] = move
                order[left] = ordering_score(memory, frame.mover, move, replies, preferred)
                left += 1
        if decided(frame, control.question):
            return
    frame.left = left


@jit
def close_position(game, memory, control, frames, table):
    """Store the bounds of the current position and merge them into its parent, or end the run."""
    level = control.level
    frame = frames[level]
    question = control.question
    lo = frame.lo
    hi = frame.hi
    if decided(frame, question):
        # Children were skipped, so the other bound is only what was known before.
        if frame.mover == 0:
            hi = 1.0
        else:
            lo = 0.0
        credit(memory, frame.mover, frame.best, control.nodes - frame.began)
    lo = max(lo, frame.known_lo)
    hi = min(hi, frame.known_hi)
    state = memory.states + level * memory.stride
    depth = min(control.limit - level, 32767) if lo < question <= hi else 0
    store(memory, table, frame, lo, hi, depth, control, state)
    if level == 0:
        control.lo = lo
        control.hi = hi
        control.best = frame.best
        control.status = DONE
    else:
        control.level = level - 1
        above = frames[level - 1]
        merge_bounds(above, above.move, lo, hi, question)
