"""The study of UCT and RAVE on Sum of Switches: D. Tom, MSc thesis, University of Alberta 2010, chapter 5."""
