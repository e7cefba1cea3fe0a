"""The behaviour signature: one number per search, over everything it wrote (after Stockfish's ``bench``)."""
