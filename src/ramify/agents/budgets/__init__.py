"""Limits: of one search, of one player, of a whole game; and how a search keeps within them."""
