"""Playouts that also draw moves that are not legal, and lose by them."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.contract.interfaces.playout_spec import PlayoutSpec
from ramify.strategies.base import MAX_PLIES, BoundStrategy, Playout


@dataclass(frozen=True)
class Reckless(Playout):
    """Every direction is equally likely, also into walls; who draws a move that is not legal loses.

    The game's ``reckless_playout`` says which moves are drawn. It plays to the end, whatever its length.
    """

    needs = ("reckless_playout",)

    @property
    def limit(self) -> int:  # type: ignore[override]
        return MAX_PLIES

    def bind(self, game: Game, *, traced: bool) -> BoundStrategy:
        del traced  # `traces` is false
        return BoundStrategy(game.playout(PlayoutSpec("reckless")))
