"""Citation of the paper."""

PAPER = "Gudmundsson and Björnsson, Sufficiency-Based Selection Strategy for MCTS (2013)"
FOLDER = "gudmundsson_2013"  # of its statements
