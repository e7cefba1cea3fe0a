"""Good values for an agent's parameters."""
