"""One file per game, or a folder with the helpers of that game; ``boards`` has what several games share.

The package can be called: ``ramify.games()`` gives the names of the built-in games.
"""

import sys
from types import ModuleType


class _Games(ModuleType):
    def __call__(self) -> tuple[str, ...]:
        """The names of the built-in games."""
        from ramify.contract.registry import names  # noqa: PLC0415  (the package must not import its own rooms early)

        return names()


sys.modules[__name__].__class__ = _Games
