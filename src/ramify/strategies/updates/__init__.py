"""Updates: what the moves of a simulation are credited with, for RAVE and its kin."""
