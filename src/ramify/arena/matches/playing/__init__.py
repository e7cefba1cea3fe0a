"""One game of a match: its opening, its moves, and the same game once more."""
