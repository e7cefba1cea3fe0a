"""Experiments of the papers, run again: measured beside published, with a verdict for every claim."""
