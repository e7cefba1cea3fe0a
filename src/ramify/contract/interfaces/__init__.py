"""The two interfaces that ``contract.game.Game`` joins: rules for Python, kernels for the engine."""
