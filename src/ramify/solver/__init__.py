"""Game solvers: proven values under perfect play."""
