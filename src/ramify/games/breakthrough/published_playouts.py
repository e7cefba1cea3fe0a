"""Playouts of Breakthrough as in the program of Pepels et al. (2014).

A pawn that can reach the far row does; else a pawn about to win is taken, which only captures from the home row can
do; else moves are drawn by weights: 1 a quiet step, 2 a capture, 5 a capture where nothing can take back. (The program
also counts a capture as taken back where a pawn of the own side stands diagonally ahead.)
"""

from ramify.core.numbers.bits import FULL, popcount
from ramify.core.numbers.rng import below
from ramify.games.breakthrough.array_board import SQUARES, step_wide
from ramify.games.breakthrough.bitboard import decisive, draw_move, guarded, steps

QUIET, CAPTURE, FREE_CAPTURE = 1, 2, 5  # weights
DECISIVE = 2  # urgencies of ``published_wide``


def published_word(rules, state, rng):
    """On one word: first the class of the move is drawn, by what its moves weigh together, then one of them."""
    straight, left, right = steps(rules, state.mine, state.theirs, state.mover)
    wanted = decisive(rules, state, straight, left, right)
    if wanted == FULL:
        taking_left, taking_right = left & state.theirs, right & state.theirs
        unsafe = guarded(rules, state)
        free = popcount(taking_left & ~unsafe) + popcount(taking_right & ~unsafe)
        held = popcount(taking_left & unsafe) + popcount(taking_right & unsafe)
        quiet = popcount(straight) + popcount(left) + popcount(right) - free - held
        n = below(rng, QUIET * quiet + CAPTURE * held + FREE_CAPTURE * free)
        if n < QUIET * quiet:
            wanted = ~state.theirs
        elif n < QUIET * quiet + CAPTURE * held:
            wanted = state.theirs & unsafe
        else:
            wanted = state.theirs & ~unsafe
    return draw_move(rules, state, rng, straight & wanted, left & wanted, right & wanted)


def published_wide(rules, state, rng):
    """On a larger board: one pass that keeps each of the most urgent moves with the chance that its weight is due."""
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
    """Whether a pawn of the player who is not to move could capture there."""
    row = square // rules.columns + (1 if state.mover == 0 else -1)
    for side in (-1, 1):
        column = square % rules.columns + side
        on_board = 0 <= row < rules.rows and 0 <= column < rules.columns
        if on_board and state.cells[row * rules.columns + column] == 2 - state.mover:
            return True
    return False
