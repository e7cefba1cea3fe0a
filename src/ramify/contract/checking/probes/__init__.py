"""A game as the checks ask it, one probe per way a game is written."""
