"""Specification of a game's playout kernel."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class PlayoutSpec:
    """Selects one of a game's playout kernels; ``PlayoutSpec()`` is the fastest.

    Games without the ``policy`` draw uniformly.
    """

    policy: Literal["uniform", "heuristic", "published_heuristic", "reckless"] = "uniform"  # draws the players' moves
    traced: bool = False  # records its moves in ``episode.trace``
    limited: bool = False  # respects ``episode.limit``
    exact_length: bool = False  # returns the true number of plies; other playouts may return more (Hex fills the board)


FASTEST = PlayoutSpec()
