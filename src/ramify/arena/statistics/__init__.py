"""Arithmetic on the results of paired games."""
