"""Breakthrough on boards of up to 64 squares: one word per player."""

import numpy as np

from ramify.core.numbers.bits import FULL, ONE, ZERO, lowest, nth_bit, popcount
from ramify.core.numbers.rng import below
from ramify.games.breakthrough.array_board import SQUARES


def steps(rules, mine, theirs, player):
    """Return the targets of straight steps, of steps to the left and of steps to the right."""
    ahead = np.uint64(rules.columns)
    free = ~(mine | theirs)
    left = mine & rules.not_left
    right = mine & rules.not_right
    if player == 0:
        return (mine << ahead) & free, (left << (ahead - ONE)) & ~mine, (right << (ahead + ONE)) & ~mine
    return (mine >> ahead) & free, (left >> (ahead + ONE)) & ~mine, (right >> (ahead - ONE)) & ~mine


def draw_step(rng, straight, left, right):
    """Draw one step uniformly. Return three sets, two of them empty: no branch to mispredict."""
    straights, lefts = popcount(straight), popcount(left)
    chosen = below(rng, straights + lefts + popcount(right))
    left = nth_bit(left, chosen - straights)
    right = nth_bit(right, chosen - straights - lefts)
    return nth_bit(straight, chosen), left, right


def forward(rules, state):
    """Return the change of the square's number in a straight step."""
    return rules.columns if state.mover == 0 else -rules.columns


def draw_move(rules, state, rng, straight, left, right):
    """Draw one step uniformly and return it as a move."""
    straight, left, right = draw_step(rng, straight, left, right)
    to = lowest(straight | left | right)
    delta = forward(rules, state) + (right != ZERO) - (left != ZERO)
    return (to - delta) * SQUARES + to


def decisive(rules, state, straight, left, right):
    """Return the targets of decisive steps: the far row, else enemy pawns about to win; FULL without any."""
    player = state.mover
    goals = rules.far[player]
    if (straight | left | right) & goals == ZERO:
        home = rules.far[1 - player]  # an enemy pawn one step from it is about to win
        ahead = np.uint64(rules.columns)
        goals = state.theirs & (home << ahead if player == 0 else home >> ahead)
        if (left | right) & goals == ZERO:
            goals = FULL
    return goals


def guarded(rules, state):
    """Return the squares that the opponent's pawns attack."""
    ahead = np.uint64(rules.columns)
    left = state.theirs & rules.not_left
    right = state.theirs & rules.not_right
    if state.mover == 0:
        return (left >> (ahead + ONE)) | (right >> (ahead - ONE))
    return (left << (ahead - ONE)) | (right << (ahead + ONE))
