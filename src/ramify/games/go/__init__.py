"""Go and its board helpers."""
