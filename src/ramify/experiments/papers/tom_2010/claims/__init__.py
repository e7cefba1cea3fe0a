"""What the thesis says of its figures, and how each statement is tested."""
