"""Names for agents, as text. Each file has its ``PRESETS``; found by scanning, so adding one edits nothing else."""
