"""The Breakthrough position of Gudmundsson and Björnsson 2013, figure 5, reconstructed from what their text says."""

GAME = "breakthrough(rows=8, columns=7)"
POSITION = ".b...b./bbb...b/.w...b./w.....b/b....../..ww..w/.....w./....... w"
BEST = ("a5a6",)
TEMPTING = ("b6a7", "b6c7")
FACTS = "of 13 moves a5a6 alone wins; b6a7 is refuted by b8a7 alone, and b6c7 by b8c7 alone."
