"""What the thesis says about its figures, and how each statement is tested."""
