"""Rules without variables, by clingo."""
