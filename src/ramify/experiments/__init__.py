"""Experiments of the papers, run again: measured beside published, with a verdict for every claim."""

import sys

from ramify.experiments.moved import OldNames

sys.meta_path.insert(0, OldNames())
