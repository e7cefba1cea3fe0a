"""Sufficiency threshold against UCT on bandits whose means move: Gudmundsson and Björnsson 2013, section 4.1."""
