"""Players: agents in one seat of a game, other programs in their place, and ours in the games of other programs."""
