"""From an author's rule to the kernels that choose a child and learn."""
