"""Kernels called when children are added or when a simulation ends."""
