"""Breakthrough on boards that fit a word of 64 bits."""

import numpy as np

from ramify.core.numbers.bits import FULL, ONE, ZERO, lowest, nth_bit, popcount
from ramify.core.numbers.rng import below
from ramify.games.breakthrough.array_board import SQUARES


def steps(rules, mine, theirs, player):
    """The squares that a straight step, a step to the left and a step to the right can reach (one word)."""
    ahead = np.uint64(rules.columns)
    free = ~(mine | theirs)
    left = mine & rules.not_left
    right = mine & rules.not_right
    if player == 0:
        return (mine << ahead) & free, (left << (ahead - ONE)) & ~mine, (right << (ahead + ONE)) & ~mine
    return (mine >> ahead) & free, (left >> (ahead + ONE)) & ~mine, (right >> (ahead - ONE)) & ~mine


def draw_step(rng, straight, left, right):
    """One of the steps by an even draw: two of the three come back empty, and there is no branch to mispredict."""
    straights, lefts = popcount(straight), popcount(left)
    chosen = below(rng, straights + lefts + popcount(right))
    left = nth_bit(left, chosen - straights)
    right = nth_bit(right, chosen - straights - lefts)
    return nth_bit(straight, chosen), left, right


def forward(rules, state):
    """The change of square number in a straight step."""
    return rules.columns if state.mover == 0 else -rules.columns


def draw_move(rules, state, rng, straight, left, right):
    """One of the steps as a move, by an even draw."""
    straight, left, right = draw_step(rng, straight, left, right)
    to = lowest(straight | left | right)
    delta = forward(rules, state) + (right != ZERO) - (left != ZERO)
    return (to - delta) * SQUARES + to


def decisive(rules, state, straight, left, right):
    """The targets of decisive steps: the far row, else enemy pawns that are about to win; all squares without any."""
    player = state.mover
    wanted = rules.far[player]
    if (straight | left | right) & wanted == ZERO:
        home = rules.far[1 - player]  # a pawn of theirs one step before it is about to win
        ahead = np.uint64(rules.columns)
        wanted = state.theirs & (home << ahead if player == 0 else home >> ahead)
        if (left | right) & wanted == ZERO:
            wanted = FULL
    return wanted


def guarded(rules, state):
    """The squares on which a pawn of the player who is not to move could capture."""
    ahead = np.uint64(rules.columns)
    left = state.theirs & rules.not_left
    right = state.theirs & rules.not_right
    if state.mover == 0:
        return (left >> (ahead + ONE)) | (right >> (ahead - ONE))
    return (left << (ahead - ONE)) | (right << (ahead + ONE))
