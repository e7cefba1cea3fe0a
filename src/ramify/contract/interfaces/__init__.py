"""What a ``contract.game.Game`` combines: its rules, for everybody, and its kernels, for the engine."""
