"""Four arms at a time."""
