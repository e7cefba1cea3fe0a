"""Citation of the thesis."""

PAPER = "Tom, Investigating UCT and RAVE: Steps Towards a More Robust Method (2010)"
