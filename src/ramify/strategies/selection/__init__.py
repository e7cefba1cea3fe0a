"""Selection policies: which child to visit next. One family a file, found by scanning."""
