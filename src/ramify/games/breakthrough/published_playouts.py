"""Playouts of Breakthrough as in the program of Pepels et al. (2014).

A pawn that can reach the far row does so. Otherwise a pawn about to win is captured, which only pawns on the home row
can do. Otherwise moves are drawn by weight: 1 for a quiet step, 2 for a capture, 5 for a capture that cannot be
recaptured. (The program also treats a capture as recapturable if one of the mover's pawns is diagonally ahead.)
"""

from ramify.core.numbers.bits import FULL, ZERO, bit, lowest, popcount, without_lowest
from ramify.core.numbers.rng import below
from ramify.games.breakthrough.array_board import SQUARES, step_wide
from ramify.games.breakthrough.bitboard import decisive, draw_move, forward, guarded, steps

QUIET, CAPTURE, FREE_CAPTURE = 1, 2, 5  # weights
DECISIVE = 2  # highest urgency in ``published_wide``


def published_word(rules, state, rng):
    """On a bitboard: draw a class of moves by its total weight, then one of its moves uniformly."""
    straight, left, right = steps(rules, state.mine, state.theirs, state.mover)
    goals = decisive(rules, state, straight, left, right)
    if goals == FULL:
        taking_left, taking_right = left & state.theirs, right & state.theirs
        unsafe = guarded(rules, state)
        free = popcount(taking_left & ~unsafe) + popcount(taking_right & ~unsafe)
        held = popcount(taking_left & unsafe) + popcount(taking_right & unsafe)
        quiet = popcount(straight) + popcount(left) + popcount(right) - free - held
        n = below(rng, QUIET * quiet + CAPTURE * held + FREE_CAPTURE * free)
        if n < QUIET * quiet:
            goals = ~state.theirs
        elif n < QUIET * quiet + CAPTURE * held:
            goals = state.theirs & unsafe
        else:
            goals = state.theirs & ~unsafe
    return draw_move(rules, state, rng, straight & goals, left & goals, right & goals)


def list_word(rules, state, moves, weights):
    """On a bitboard: list the most urgent moves with their weights. Return their number."""
    straight, left, right = steps(rules, state.mine, state.theirs, state.mover)
    goals = decisive(rules, state, straight, left, right)
    taken = state.theirs if goals == FULL else ZERO  # decisive moves have equal weights
    ahead, unsafe = forward(rules, state), guarded(rules, state)
    count = put_weighted(moves, weights, 0, straight & goals, ahead, taken, unsafe)
    count = put_weighted(moves, weights, count, left & goals, ahead - 1, taken, unsafe)
    return put_weighted(moves, weights, count, right & goals, ahead + 1, taken, unsafe)


def put_weighted(moves, weights, count, targets, delta, taken, unsafe):
    """Append the moves to ``targets``, from ``delta`` squares before each. Return the new count."""
    while targets != ZERO:
        to = lowest(targets)
        targets = without_lowest(targets)
        moves[count] = (to - delta) * SQUARES + to
        weights[count] = QUIET
        if taken & bit(to) != ZERO:
            weights[count] = CAPTURE if unsafe & bit(to) != ZERO else FREE_CAPTURE
        count += 1
    return count


def published_wide(rules, state, rng):
    """On an array board: draw among the most urgent moves by weight, in one pass (weighted reservoir sampling)."""
    chosen, urgent, seen = 0, 0, 0
    for square in range(rules.rows * rules.columns):
        if state.cells[square] != 1 + state.mover:
            continue
        for side in range(-1, 2):
            to = step_wide(rules, state, square, side)
            if to < 0:
                continue
            urgency, weight = urgency_wide(rules, state, to)
            if urgency > urgent:
                urgent, seen = urgency, 0
            if urgency == urgent:
                seen += weight
                if below(rng, seen) < weight:
                    chosen = square * SQUARES + to
    return chosen


def list_wide(rules, state, moves, weights):
    """On an array board: list the most urgent moves with their weights. Return their number."""
    urgent, count = 0, 0
    for square in range(rules.rows * rules.columns):
        if state.cells[square] != 1 + state.mover:
            continue
        for side in range(-1, 2):
            to = step_wide(rules, state, square, side)
            if to < 0:
                continue
            urgency, weight = urgency_wide(rules, state, to)
            if urgency > urgent:
                urgent, count = urgency, 0
            if urgency == urgent:
                moves[count] = square * SQUARES + to
                weights[count] = weight
                count += 1
    return count


def urgency_wide(rules, state, to):
    """Return the urgency of a step to a square, and its weight among equally urgent ones."""
    row = to // rules.columns
    if row == (rules.rows - 1 if state.mover == 0 else 0):
        return DECISIVE, 1
    if state.cells[to] == 0:
        return 0, QUIET
    if row == (1 if state.mover == 0 else rules.rows - 2):
        return 1, 1
    return 0, CAPTURE if guarded_wide(rules, state, to) else FREE_CAPTURE


def guarded_wide(rules, state, square):
    """Whether one of the opponent's pawns attacks the square."""
    row = square // rules.columns + (1 if state.mover == 0 else -1)
    for side in (-1, 1):
        column = square % rules.columns + side
        on_board = 0 <= row < rules.rows and 0 <= column < rules.columns
        if on_board and state.cells[row * rules.columns + column] == 2 - state.mover:
            return True
    return False
