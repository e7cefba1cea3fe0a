"""Ground rules as a propnet of gates, and the compiled code that evaluates it."""
