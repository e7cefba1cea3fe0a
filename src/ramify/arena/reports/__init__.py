"""What stored runs say, as pages with pictures."""
