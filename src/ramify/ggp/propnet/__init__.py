"""Ground rules as a network of gates, and the compiled code that evaluates it."""
