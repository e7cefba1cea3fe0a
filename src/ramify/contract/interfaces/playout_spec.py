"""What a search asks of the playout that a game brings along."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class PlayoutSpec:
    """One of a game's playouts, by what it does; ``PlayoutSpec()`` is the fastest.

    Games without the ``policy`` draw evenly.
    """

    policy: Literal["uniform", "heuristic", "published_heuristic"] = "uniform"  # what draws a player's moves
    traced: bool = False  # writes down its moves (``core.search.episode``)
    limited: bool = False  # stops at the limit of plies
    exact_length: bool = False  # counts the plies up to the end of the game and no further


FASTEST = PlayoutSpec()
