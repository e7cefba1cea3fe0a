"""Playouts of Breakthrough as in the program of Pepels et al. (2014).

A pawn that can reach the far row does so. Otherwise a pawn about to win is captured, which only pawns on the home row
can do. Otherwise moves are drawn by weight: 1 for a quiet step, 2 for a capture, 5 for a capture that cannot be
recaptured. (The program also treats a capture as recapturable if one of the mover's pawns is diagonally ahead.)
"""

from ramify.core.numbers.bits import FULL, popcount
from ramify.core.numbers.rng import below
from ramify.games.breakthrough.array_board import SQUARES, step_wide
from ramify.games.breakthrough.bitboard import decisive, draw_move, guarded, steps

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


def published_wide(rules, state, rng):
    """On an array board: draw among the most urgent moves by weight, in one pass (weighted reservoir sampling)."""
    goal = rules.rows - 1 if state.mover == 0 else 0
    danger = 1 if state.mover == 0 else rules.rows - 2
    chosen, urgent, seen = 0, 0, 0
    for square in range(rules.rows * rules.columns):
        if state.cells[square] != 1 + state.mover:
            continue
        for side in range(-1, 2):
            to = step_wide(rules, state, square, side)
            if to < 0:
                continue
            row = to // rules.columns
            taking = state.cells[to] != 0
            urgency = DECISIVE if row == goal else 1 if row == danger and taking else 0
            weight = 1
            if urgency == 0 and taking:
                weight = CAPTURE if guarded_wide(rules, state, to) else FREE_CAPTURE
            if urgency > urgent:
                urgent, seen = urgency, 0
            if urgency == urgent:
                seen += weight
                if below(rng, seen) < weight:
                    chosen = square * SQUARES + to
    return chosen


def guarded_wide(rules, state, square):
    """Whether one of the opponent's pawns attacks the square."""
    row = square // rules.columns + (1 if state.mover == 0 else -1)
    for side in (-1, 1):
        column = square % rules.columns + side
        on_board = 0 <= row < rules.rows and 0 <= column < rules.columns
        if on_board and state.cells[row * rules.columns + column] == 2 - state.mover:
            return True
    return False
