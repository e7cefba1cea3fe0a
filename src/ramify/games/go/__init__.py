"""Go, and questions about its board."""
