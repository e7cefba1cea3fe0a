"""Timings: how a side divides the time on its clock among its moves."""
