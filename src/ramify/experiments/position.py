"""The Breakthrough position of 000, figure 5, as data."""

GAME = "breakthrough(rows=8, columns=4)"
POSITION = "b.b./b.bb/.w../w.../..../..w./w..w/.w.w w"
BEST = ("a5a6",)
TEMPTING = ("b6a7", "b6c7")
FACTS = "a5a6 is the only winning move of 13."
