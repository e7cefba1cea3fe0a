"""The game's score, unchanged."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.strategies.base import Reward


@dataclass(frozen=True)
class Score(Reward):
    """The game's score in [0, 1]: loss 0, draw 1/2, win 1."""

    batchable = True

    def bind(self, game: Game) -> None:
        del game
