"""From plain Python functions to machine code at an address, kept on disk."""
