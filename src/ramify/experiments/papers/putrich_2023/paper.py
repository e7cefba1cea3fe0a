"""The paper, in full and for short."""

PAPER = "Putrich and Meneguzzi, Monte Carlo Algorithms for Time-Constrained General Game Playing (2023)"
SHORT = "Putrich and Meneguzzi 2023"
