"""Scores of two-player games, from a lead or a winner."""

NO_WINNER = -1


def by_lead(lead, out):
    """Write the scores: player 0 wins with a positive lead, player 1 with a negative one; 0 is a draw."""
    out[0] = 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    out[1] = 1.0 - out[0]


def by_winner(winner, out):
    """Write the scores of a win, or of a draw for NO_WINNER."""
    out[0] = out[1] = 0.5
    if winner != NO_WINNER:
        out[winner] = 1.0
        out[1 - winner] = 0.0
