"""The Breakthrough position of Gudmundsson and Björnsson 2013, figure 5, reconstructed from their text."""

GAME = "breakthrough(rows=8, columns=7)"
POSITION = ".b...b./bbb...b/.w...b./w.....b/b....../..ww..w/.....w./....... w"
BEST = ("a5a6",)
TEMPTING = ("b6a7", "b6c7")
FACTS = "of 13 moves only a5a6 wins; only b8a7 refutes b6a7, and only b8c7 refutes b6c7."
