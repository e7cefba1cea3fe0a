"""Games of Ludii (``pip install "ramify[ludii]"``): ``ludii:Breakthrough("Board Size/6x6")``.

Supports Ludii's games with perfect information and alternating moves, for any number of players, with or without
chance. Users install Java and Ludii's jar themselves; docs/ludii.md explains how.
"""

from __future__ import annotations

from ramify.contract.game import Game


def load(text: str) -> Game:
    """Load a game by name, e.g. ``Amazons``, or with options ``Hex("Board Size/7x7")``."""
    from ramify.bridges.ludii.game import load as load_game  # noqa: PLC0415  (listing the bridges must not need Java)

    return load_game(text)


def category(name: str) -> str:
    """Return a game's category: hunt, race, sow, space, war, or another of Ludii's folders. Does not start Java."""
    from ramify.bridges.ludii.names import parse_name  # noqa: PLC0415

    return parse_name(name.removeprefix("ludii:"))[0].category
