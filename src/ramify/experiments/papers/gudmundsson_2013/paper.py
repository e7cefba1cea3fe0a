"""The paper, in full and for short."""

PAPER = "Gudmundsson and Björnsson, Sufficiency-Based Selection Strategy for MCTS (2013)"
SHORT = "Gudmundsson and Björnsson 2013"
