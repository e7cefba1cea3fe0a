"""What a game is: its parts, how its file becomes kernels, and how a game is found and checked."""
