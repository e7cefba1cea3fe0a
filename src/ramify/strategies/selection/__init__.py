"""Selection policies: which child to visit next. One file per family, found by scanning."""
