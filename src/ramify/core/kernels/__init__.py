"""Compilation: plain Python functions become kernels, called by address and cached on disk."""
