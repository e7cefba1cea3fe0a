"""Allocations: how a budget is spent at the root."""
