"""Hooks in Python: the kernels, blocks and columns behind ``core.hooks``."""
