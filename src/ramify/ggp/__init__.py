"""General game playing: rulesheets in the Game Description Language (GDL), and games that play by them."""
