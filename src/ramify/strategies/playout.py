"""Playouts: how a simulation goes on below the tree."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.core.kernels.compiling import Kernel

MOST_PLIES = 100_000


@dataclass(frozen=True)
class Uniform:
    """Every legal move is equally likely, until the game ends; after ``limit`` plies it is called a draw."""

    limit: int = MOST_PLIES

    def kernel(self, game: Game, *, traced: bool = False) -> Kernel:
        """The kernel that plays so; ``traced``: one that also writes down its moves."""
        return game.traced_playout() if traced else game.uniform_playout(limited=self.limit < MOST_PLIES)


@dataclass(frozen=True)
class Heuristic:
    """Moves by the game's own ``heuristic``, which knows a little about it; a draw after ``limit`` plies."""

    limit: int = MOST_PLIES

    def kernel(self, game: Game, *, traced: bool = False) -> Kernel:
        """The kernel that plays so; ``traced``: one that also writes down its moves."""
        return game.traced_playout(heuristic=True) if traced else game.heuristic_playout()


PLAYOUTS = {"uniform": Uniform, "heuristic": Heuristic}
