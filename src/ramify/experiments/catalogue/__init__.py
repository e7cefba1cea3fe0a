"""One file an experiment, with an ``EXPERIMENT``; found by scanning, so adding one edits nothing else."""
