"""Agents: compositions of strategies as data, and the searches they run."""
