"""Scores of two players, from what their games decide by."""

NOBODY = -1


def by_lead(lead, out):
    """Write the scores where the first player has won with a lead above 0, and the second with one below."""
    out[0] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    out[1] = 1.0 - out[0]


def by_winner(winner, out):
    """Write the scores where a player has won, or NOBODY."""
    out[0] = out[1] = 0.5
    if winner != NOBODY:
        out[winner] = 1.0
        out[1 - winner] = 0.0
