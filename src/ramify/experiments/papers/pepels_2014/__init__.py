"""Pepels, Tak, Lanctot and Winands, Quality-based Rewards for Monte-Carlo Tree Search Simulations (2014)."""
