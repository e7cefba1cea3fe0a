"""One game of a match: opening, play and replay."""
