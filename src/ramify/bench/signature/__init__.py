"""The behaviour signature: one number per search, hashed from everything it wrote (after Stockfish's ``bench``)."""
