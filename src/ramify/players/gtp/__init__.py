"""The Go Text Protocol, version 2 (G. Farnebäck 2002), both ways: engines as players, and agents for front ends."""
