"""Random numbers, distributions, bits, hashes and logarithms; results are identical compiled or not."""
