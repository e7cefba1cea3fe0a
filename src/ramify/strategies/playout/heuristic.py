"""Playouts by the game's own heuristic."""

from dataclasses import dataclass

from ramify.contract.game import Game
from ramify.contract.interfaces.playout_spec import PlayoutSpec
from ramify.core.playouts.random_policy import GAME_HEURISTIC, HEURISTIC_BLOCK, game_heuristic_kernel
from ramify.errors import RamifyError
from ramify.strategies.base import MAX_PLIES, BoundPlayoutPolicy, BoundStrategy, Playout, PlyLimit
from ramify.strategies.policy_playout import record_of


@dataclass(frozen=True)
class Heuristic(Playout):
    """Choose moves by the game's ``heuristic``; a draw after ``limit`` plies.

    Simultaneous moves use ``heuristic_of``. A game that has only one of the two plays uniformly where the other would
    be needed. With ``as_published``, moves are drawn as in the publication that the game's file names.
    """

    needs = ("heuristic", "heuristic_of")
    needs_every_part = False
    traces = True
    limit: PlyLimit = MAX_PLIES
    as_published: bool = False

    def bind(self, game: Game, *, traced: bool) -> BoundStrategy:
        if self.as_published and not game.has("published_heuristic"):
            raise RamifyError(
                f"{game.name} has no published playouts, which playout=heuristic(as_published=true) needs:"
                " use playout=heuristic"
            )
        spec = PlayoutSpec("published_heuristic" if self.as_published else "heuristic", traced=traced)
        return BoundStrategy(game.playout(spec))

    def policy(self, game: Game) -> BoundPlayoutPolicy:
        part = "published_heuristic" if self.as_published else "heuristic"
        drawing = game.kernel(part)
        if drawing is None:
            raise RamifyError(f"{game.name} has no {part}, which then={self.title()} needs: use then=uniform")
        return BoundPlayoutPolicy(
            GAME_HEURISTIC, game_heuristic_kernel(), record_of(HEURISTIC_BLOCK, draw=drawing.address), owned=(drawing,)
        )
