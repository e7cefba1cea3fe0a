"""Presets. Files are found by scanning: each defines a tuple ``PRESETS``."""
