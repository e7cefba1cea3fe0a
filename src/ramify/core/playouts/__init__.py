"""How a playout chooses its moves, and the tables it learns."""
