"""Perick et al., Comparison of Different Selection Strategies in MCTS for the Game of Tron (2012)."""
