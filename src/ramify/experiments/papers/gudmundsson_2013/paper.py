"""Citation of the paper."""

PAPER = "Gudmundsson and Björnsson, Sufficiency-Based Selection Strategy for MCTS (2013)"
SHORT = "Gudmundsson and Björnsson 2013"
