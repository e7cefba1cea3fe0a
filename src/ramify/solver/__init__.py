"""Perfect play, proven."""
