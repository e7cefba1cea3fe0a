"""Updates: what the moves of a simulation are credited with in RAVE's sums."""
