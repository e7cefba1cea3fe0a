"""Built-in games: one file per game, or a folder if it has helpers; ``boards`` holds shared code.

The package is callable: ``ramify.games()`` returns the names of the built-in games.
"""

import sys
from types import ModuleType


class _Games(ModuleType):
    def __call__(self) -> tuple[str, ...]:
        from ramify.contract.registry import names  # noqa: PLC0415  (avoids a circular import)

        return names()


sys.modules[__name__].__class__ = _Games
