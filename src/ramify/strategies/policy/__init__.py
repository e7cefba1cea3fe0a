"""Compiles an author's selection policy to kernels that choose a child and learn."""
