"""The two interfaces of ``contract.game.Game``: rules for Python, kernels for the engine."""
