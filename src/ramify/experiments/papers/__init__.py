"""Experiments, a folder for each paper: ``ramify`` has our own studies, and a new file is found by its name."""
