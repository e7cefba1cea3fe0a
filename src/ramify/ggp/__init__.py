"""General game playing: rules as text in the Game Description Language (GDL)."""
