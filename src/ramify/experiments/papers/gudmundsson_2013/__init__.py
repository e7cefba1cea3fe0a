"""Gudmundsson and Björnsson, Sufficiency-Based Selection Strategy for MCTS (2013)."""
