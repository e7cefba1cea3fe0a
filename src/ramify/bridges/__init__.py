"""Games and programs from elsewhere: one file a neighbour, found by its name before the colon."""
