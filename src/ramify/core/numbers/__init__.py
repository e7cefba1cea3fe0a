"""Random numbers, draws, bits and logarithms: the same compiled or not."""
