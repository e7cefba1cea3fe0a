"""The winner of a finished game."""

from ramify.core.kernels.compiling import jit


@jit
def winner_of(scores, players):
    """Return the player with the strictly highest score, or -1. A single player wins with more than 1/2."""
    best = 0
    alone = players > 1 or scores[0] > 0.5
    for player in range(1, players):
        if scores[player] > scores[best]:
            best = player
            alone = True
        elif scores[player] == scores[best]:
            alone = False
    return best if alone else -1
