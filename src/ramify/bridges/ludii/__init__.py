"""Games of Ludii (``pip install "ramify[ludii]"``): ``ludii:Breakthrough("Board Size/6x6")``.

Every game of Ludii whose players take turns and see everything, for any number of players, with chance or without. Java
and Ludii's jar are the user's own; docs/ludii.md says how to get them.
"""

from __future__ import annotations

from ramify.contract.game import Game


def load(text: str) -> Game:
    """The game that ``text`` names: ``Amazons``, or with options ``Hex("Board Size/7x7")``."""
    from ramify.bridges.ludii.game import load as load_game  # noqa: PLC0415  (the list of bridges needs no Java)

    return load_game(text)


def category(name: str) -> str:
    """What kind of game it is: hunt, race, sow, space, war, or another of Ludii's folders."""
    from ramify.bridges.ludii.names import read  # noqa: PLC0415

    return read(name.removeprefix("ludii:"))[0].category
