"""Citation of the paper."""

PAPER = "Putrich and Meneguzzi, Monte Carlo Algorithms for Time-Constrained General Game Playing (2023)"
