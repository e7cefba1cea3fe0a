"""Experiments of papers: measured next to published figures, with a verdict for every claim."""
